//! `#[derive(HwEnum)]`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, Fields, Result};

use crate::hdl;

pub(crate) fn expand(input: DeriveInput) -> Result<TokenStream> {
    let hdl = hdl();
    let Data::Enum(data) = &input.data else {
        return Err(Error::new_spanned(&input.ident, "only an enum can be a hardware enum"));
    };
    if data.variants.is_empty() {
        return Err(Error::new_spanned(&input.ident, "a hardware enum has at least one variant"));
    }
    for variant in &data.variants {
        if !matches!(variant.fields, Fields::Unit) {
            return Err(Error::new_spanned(variant, "a variant of a hardware enum has no fields"));
        }
        if let Some((_, value)) = &variant.discriminant {
            return Err(Error::new_spanned(
                value,
                "the code of a variant is its place: leave the number out",
            ));
        }
    }
    let name = &input.ident;
    let text = name.to_string();
    let variants: Vec<_> = data.variants.iter().map(|variant| &variant.ident).collect();
    let texts = variants.iter().map(|variant| variant.to_string());
    let codes = 0u64..;
    Ok(quote! {
        impl #hdl::HwEnum for #name {
            const DEF: #hdl::ir::EnumDef = #hdl::ir::EnumDef { name: #text, variants: &[#(#texts),*] };
            fn code(self) -> u64 {
                match self {
                    #(#name::#variants => #codes,)*
                }
            }
        }
    })
}
