//! Procedural macros of the hardware language; use them through the `hdl` crate.

use proc_macro::TokenStream;
use proc_macro2::TokenStream as Tokens;
use quote::quote;
use syn::{Attribute, Expr, ExprLit, Lit, Meta};

mod bundle;
mod hardware;
mod hw_enum;

/// Makes a struct of signals and bundles a bundle: field names become signal names, doc comments of
/// fields become comments in the Verilog. A field marked `#[bundle(flat)]` adds no name of its own: its
/// signals are named as if they stood beside it.
#[proc_macro_derive(Bundle, attributes(bundle))]
pub fn derive_bundle(input: TokenStream) -> TokenStream {
    finish(syn::parse(input).and_then(bundle::expand))
}

/// Makes an enum without fields one that hardware can hold.
#[proc_macro_derive(HwEnum)]
pub fn derive_hw_enum(input: TokenStream) -> TokenStream {
    finish(syn::parse(input).and_then(hw_enum::expand))
}

/// On a function or an `impl` block: every `let` names the hardware it binds, and doc comments on
/// `let` and, for `impl Module`, on the block, become comments in the Verilog.
#[proc_macro_attribute]
pub fn hardware(_arguments: TokenStream, item: TokenStream) -> TokenStream {
    finish(syn::parse(item).map(hardware::expand))
}

fn finish(result: syn::Result<Tokens>) -> TokenStream {
    result.unwrap_or_else(|error| error.to_compile_error()).into()
}

/// The text of the doc comments among `attributes`, lines joined by `\n`.
fn doc_of(attributes: &[Attribute]) -> String {
    let mut lines = Vec::new();
    for attribute in attributes {
        let Meta::NameValue(meta) = &attribute.meta else { continue };
        let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = &meta.value else { continue };
        if meta.path.is_ident("doc") {
            lines.push(text.value().trim().to_owned());
        }
    }
    lines.join("\n")
}

/// The path of the language's crate.
fn hdl() -> Tokens {
    quote!(::hdl)
}
