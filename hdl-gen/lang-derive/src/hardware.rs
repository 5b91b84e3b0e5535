//! `#[hardware]`: names from `let`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Block, Ident, ImplItem, Item, Pat, Stmt, parse_quote};

use crate::{doc_of, hdl};

pub(crate) fn expand(mut item: Item) -> TokenStream {
    if let Item::Impl(block) = &mut item {
        let doc = doc_of(&block.attrs);
        let of_module = block.trait_.as_ref().is_some_and(|(path, _)| {
            path.segments.last().is_some_and(|segment| segment.ident == "Module")
        });
        let has_doc =
            block.items.iter().any(|item| matches!(item, ImplItem::Fn(f) if f.sig.ident == "doc"));
        if of_module && !doc.is_empty() && !has_doc {
            block.items.push(parse_quote! {
                fn doc(&self) -> &'static str { #doc }
            });
        }
    }
    NameLets.visit_item_mut(&mut item);
    quote!(#item)
}

/// Adds a naming statement after each `let`.
struct NameLets;

impl VisitMut for NameLets {
    fn visit_block_mut(&mut self, block: &mut Block) {
        visit_mut::visit_block_mut(self, block);
        let mut stmts = Vec::with_capacity(block.stmts.len());
        for mut stmt in std::mem::take(&mut block.stmts) {
            let naming = match &mut stmt {
                Stmt::Local(local) if local.init.is_some() => {
                    let doc = doc_of(&local.attrs);
                    local.attrs.retain(|attribute| !is_doc(attribute));
                    let mut idents = Vec::new();
                    bound_names(&local.pat, &mut idents);
                    idents.into_iter().map(|ident| naming(&ident, &doc)).collect()
                }
                _ => Vec::new(),
            };
            stmts.push(stmt);
            stmts.extend(naming);
        }
        block.stmts = stmts;
    }
}

fn is_doc(attribute: &Attribute) -> bool {
    attribute.path().is_ident("doc")
}

fn naming(ident: &Ident, doc: &str) -> Stmt {
    let hdl = hdl();
    let name = ident.unraw().to_string();
    // Hygiene: the traits are in scope for this statement only.
    parse_quote! {
        {
            #[allow(unused_imports)]
            use #hdl::naming::{TagHardware as _, TagOther as _};
            #[allow(clippy::needless_borrow)]
            (&#hdl::naming::Tag(&#ident)).tag(#name, #doc);
        }
    }
}

/// The plain names a pattern binds; names that start with `_` are left alone.
fn bound_names(pat: &Pat, names: &mut Vec<Ident>) {
    match pat {
        Pat::Ident(pat) if !pat.ident.to_string().starts_with('_') => names.push(pat.ident.clone()),
        Pat::Type(pat) => bound_names(&pat.pat, names),
        Pat::Tuple(pat) => pat.elems.iter().for_each(|pat| bound_names(pat, names)),
        Pat::Slice(pat) => pat.elems.iter().for_each(|pat| bound_names(pat, names)),
        Pat::Struct(pat) => pat.fields.iter().for_each(|field| bound_names(&field.pat, names)),
        _ => {}
    }
}
