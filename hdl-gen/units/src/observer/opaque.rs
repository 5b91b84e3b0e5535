//! Signals of a feature inside units that do not know the feature.
//!
//! The bus and the caches carry, select and store what a feature adds to a line without knowing its
//! fields. [`Opaque`] hides the type of a bundle; the feature gets it back with [`Opaque::get`]. Names
//! and widths of the signals in the Verilog are those of the bundle inside.

use std::any::{Any, type_name};
use std::fmt::{self, Debug};
use std::rc::Rc;

use hdl::{Bundle, Leaf, Path, Sig};

/// A bundle whose type only its owner knows.
#[derive(Clone)]
pub struct Opaque(Rc<dyn Hidden>);

impl Opaque {
    /// Hides the type of `bundle`.
    pub fn of<B: Bundle>(bundle: B) -> Opaque {
        Opaque(Rc::new(bundle))
    }

    /// The bundle inside.
    ///
    /// # Panics
    /// If it is not a `B`: signals of one feature were handed to another.
    pub fn get<B: Bundle>(&self) -> B {
        let inner = self.0.as_any().downcast_ref::<B>();
        inner.unwrap_or_else(|| panic!("expected signals of type {}", type_name::<B>())).clone()
    }
}

impl Debug for Opaque {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.leaves().iter().map(|leaf| leaf.sig.width())).finish()
    }
}

impl Bundle for Opaque {
    fn map(&self, path: &mut Path, f: &mut dyn FnMut(&Path, Leaf) -> Sig) -> Opaque {
        self.0.map_hidden(path, f)
    }
}

/// A bundle behind a pointer.
trait Hidden {
    fn map_hidden(&self, path: &mut Path, f: &mut dyn FnMut(&Path, Leaf) -> Sig) -> Opaque;
    fn as_any(&self) -> &dyn Any;
}

impl<B: Bundle> Hidden for B {
    fn map_hidden(&self, path: &mut Path, f: &mut dyn FnMut(&Path, Leaf) -> Sig) -> Opaque {
        Opaque::of(self.map(path, f))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// One bundle for each feature that has one, under the name the feature gave it.
#[derive(Clone, Debug)]
pub struct Each<B>(pub Vec<Lane<B>>);

/// The bundle of one feature.
#[derive(Clone, Debug)]
pub struct Lane<B> {
    /// What the names of its signals begin with.
    pub name: String,
    /// What the Verilog says of it.
    pub doc: &'static str,
    /// Its signals.
    pub of: B,
}

impl<B> Each<B> {
    /// No feature has any.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The bundles, in the order of the features.
    pub fn iter(&self) -> impl Iterator<Item = &B> {
        self.0.iter().map(|lane| &lane.of)
    }

    /// The bundle of this name, if a feature has one.
    pub fn get(&self, name: &str) -> Option<&B> {
        self.0.iter().find(|lane| lane.name == name).map(|lane| &lane.of)
    }

    /// The same features, each with what `make` makes of its bundle.
    pub fn each<C>(&self, mut make: impl FnMut(&B) -> C) -> Each<C> {
        let lanes = self.0.iter();
        let made =
            lanes.map(|lane| Lane { name: lane.name.clone(), doc: lane.doc, of: make(&lane.of) });
        Each(made.collect())
    }
}

impl<B: Bundle> Bundle for Each<B> {
    fn map(&self, path: &mut Path, f: &mut dyn FnMut(&Path, Leaf) -> Sig) -> Each<B> {
        Each(self.0.iter().map(|lane| lane.map(path, f)).collect())
    }
}

impl<B: Bundle> Bundle for Lane<B> {
    fn map(&self, path: &mut Path, f: &mut dyn FnMut(&Path, Leaf) -> Sig) -> Lane<B> {
        let Lane { name, doc, of } = self;
        let of = path.field(name, doc, |path| of.map(path, f));
        Lane { name: name.clone(), doc, of }
    }
}

impl<B> FromIterator<Lane<B>> for Each<B> {
    fn from_iter<I: IntoIterator<Item = Lane<B>>>(lanes: I) -> Each<B> {
        Each(lanes.into_iter().collect())
    }
}
