//! `#[derive(Bundle)]`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;
use syn::{Attribute, Data, DeriveInput, Error, Fields, Result, parse_quote};

use crate::{doc_of, hdl};

pub(crate) fn expand(input: DeriveInput) -> Result<TokenStream> {
    let hdl = hdl();
    let Data::Struct(data) = &input.data else {
        return Err(Error::new_spanned(
            &input.ident,
            "a bundle is a struct of signals and bundles",
        ));
    };
    let Fields::Named(fields) = &data.fields else {
        return Err(Error::new_spanned(
            &input.ident,
            "the fields of a bundle have names: they become signal names",
        ));
    };
    let mut members = Vec::new();
    for field in &fields.named {
        let ident = field.ident.as_ref().expect("a named field");
        let (name, doc) = match is_flat(&field.attrs)? {
            true => (String::new(), String::new()),
            false => (ident.unraw().to_string(), doc_of(&field.attrs)),
        };
        members.push(
            quote!(#ident: path.field(#name, #doc, |path| #hdl::Bundle::map(&self.#ident, path, f))),
        );
    }
    let name = &input.ident;
    let mut generics = input.generics.clone();
    for parameter in generics.type_params_mut() {
        parameter.bounds.push(parse_quote!(#hdl::Bundle));
    }
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    Ok(quote! {
        impl #impl_generics #hdl::Bundle for #name #type_generics #where_clause {
            fn map(
                &self,
                path: &mut #hdl::Path,
                f: &mut dyn ::core::ops::FnMut(&#hdl::Path, #hdl::Leaf) -> #hdl::Sig,
            ) -> Self {
                #name { #(#members),* }
            }
        }
    })
}

/// Whether a field has `#[bundle(flat)]`.
fn is_flat(attributes: &[Attribute]) -> Result<bool> {
    let mut flat = false;
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("bundle")) {
        attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("flat") {
                flat = true;
                return Ok(());
            }
            Err(meta.error("unknown option; expected `flat`"))
        })?;
    }
    Ok(flat)
}
