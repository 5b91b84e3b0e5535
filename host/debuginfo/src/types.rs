//! Types of a C program: sizes, members and elements.

use std::collections::HashMap;

/// A type, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub u32);

/// A member of a `struct` or `union`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its name; none if it is an unnamed `struct` or `union`.
    pub name: Option<String>,
    /// Its first byte, from the beginning of the whole.
    pub offset: u32,
    /// Its type.
    pub of: Option<TypeId>,
}

/// What a type is made of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// Nothing that is known: `void`, functions, damaged information.
    #[default]
    Unknown,
    /// A number.
    Scalar,
    /// A pointer; to `void` if nothing is known of its target.
    Pointer(Option<TypeId>),
    /// A `struct` or `union`.
    Record(Vec<Member>),
    /// Elements in a row; how many is not known of `int tail[]`.
    Array(Option<TypeId>, Option<u32>),
    /// Another type under this name or with this qualifier.
    Alias(Option<TypeId>),
}

/// A type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Type {
    /// Its name, without `struct` or `union`.
    pub name: Option<String>,
    /// Its size, as far as it says so itself: arrays and aliases do not.
    pub bytes: u32,
    /// What it is made of.
    pub shape: Shape,
}

/// Aliases, arrays and members are followed only so deep: damaged information may go in circles.
const DEPTH: u32 = 32;

/// All types of a program.
#[derive(Clone, Debug, Default)]
pub struct Types {
    types: Vec<Type>,
    names: HashMap<String, TypeId>,
}

impl Types {
    /// A new type of which nothing is known yet.
    pub(crate) fn add(&mut self) -> TypeId {
        self.types.push(Type::default());
        TypeId((self.types.len() - 1) as u32)
    }

    pub(crate) fn get_mut(&mut self, id: TypeId) -> Option<&mut Type> {
        self.types.get_mut(id.0 as usize)
    }

    /// Puts complete types under their names. Of several of one name the last counts: the library is linked first.
    pub(crate) fn index(&mut self) {
        for (number, of) in self.types.iter().enumerate() {
            let is_whole = match &of.shape {
                Shape::Record(members) => !members.is_empty(),
                Shape::Alias(_) | Shape::Scalar => true,
                _ => false,
            };
            if let (true, Some(name)) = (is_whole, &of.name) {
                self.names.insert(name.clone(), TypeId(number as u32));
            }
        }
    }

    /// A type as it was declared.
    pub fn get(&self, id: TypeId) -> Option<&Type> {
        self.types.get(id.0 as usize)
    }

    /// The type behind names and qualifiers. A `struct` of which only the name is known is looked up by it.
    pub fn plain(&self, id: TypeId) -> Option<(TypeId, &Type)> {
        let mut id = id;
        for _ in 0..DEPTH {
            let of = self.get(id)?;
            match (&of.shape, &of.name) {
                (Shape::Alias(target), _) => id = (*target)?,
                (Shape::Record(members), Some(name)) if members.is_empty() => {
                    let whole = self.names.get(name).copied().unwrap_or(id);
                    return self.get(whole).map(|of| (whole, of));
                }
                _ => return Some((id, of)),
            }
        }
        None
    }

    /// A complete type by its name: `node` of `struct node`, or a `typedef`'s.
    pub fn named(&self, name: &str) -> Option<TypeId> {
        self.names.get(name).copied()
    }

    /// Whether a type has this name, itself or below other names of it.
    pub fn is_named(&self, id: TypeId, wanted: impl Fn(&str) -> bool) -> bool {
        let mut id = id;
        for _ in 0..DEPTH {
            let Some(of) = self.get(id) else { return false };
            if of.name.as_deref().is_some_and(&wanted) {
                return true;
            }
            match of.shape {
                Shape::Alias(Some(target)) => id = target,
                _ => return false,
            }
        }
        false
    }

    /// How many bytes a type has; 0 if that is not known.
    pub fn bytes(&self, id: TypeId) -> u32 {
        let (mut id, mut times) = (id, 1_u32);
        for _ in 0..DEPTH {
            match self.plain(id).map(|(_, of)| of) {
                Some(Type { shape: Shape::Array(Some(element), count), .. }) => {
                    times = times.saturating_mul(count.unwrap_or(0));
                    id = *element;
                }
                Some(of) => return times.saturating_mul(of.bytes),
                None => return 0,
            }
        }
        0
    }

    /// What a pointer points to, or an array consists of.
    pub fn target(&self, id: TypeId) -> Option<TypeId> {
        match self.plain(id)?.1.shape {
            Shape::Pointer(target) | Shape::Array(target, _) => target,
            _ => None,
        }
    }

    /// A member by its name, also of unnamed `struct`s and `union`s within: its offset and type.
    pub fn member(&self, id: TypeId, name: &str) -> Option<(u32, TypeId)> {
        self.member_within(id, name, DEPTH)
    }

    fn member_within(&self, id: TypeId, name: &str, depth: u32) -> Option<(u32, TypeId)> {
        let Shape::Record(members) = &self.plain(id)?.1.shape else { return None };
        let depth = depth.checked_sub(1)?;
        members.iter().find_map(|member| match &member.name {
            Some(known) => (known == name).then_some((member.offset, member.of?)),
            None => {
                let (offset, of) = self.member_within(member.of?, name, depth)?;
                Some((member.offset.saturating_add(offset), of))
            }
        })
    }

    /// The way from the beginning of a type to some of its bytes, as C writes it (`.free[3].next`).
    /// Empty if the bytes are the whole. Objects of the thread library are not looked into.
    pub fn path(&self, id: TypeId, offset: u32, size: u32) -> String {
        self.path_to(id, offset, size, |_| false)
    }

    /// The same, as far as the first part whose type is wanted.
    pub fn path_to(
        &self,
        id: TypeId,
        offset: u32,
        size: u32,
        wanted: impl Fn(TypeId) -> bool,
    ) -> String {
        let mut text = String::new();
        let (mut id, mut offset) = (id, offset);
        for _ in 0..DEPTH {
            if wanted(id) {
                break;
            }
            let Some((step, inner, rest)) = self.step(id, offset, size) else { break };
            text.push_str(&step);
            (id, offset) = (inner, rest);
        }
        text
    }

    /// Whether two types are the same, as far as their names and sizes tell: each file has types of its own.
    pub fn are_same(&self, one: TypeId, other: TypeId) -> bool {
        match (self.plain(one), self.plain(other)) {
            (Some((a, one)), Some((b, other))) => {
                a == b || one.name.is_some() && one.name == other.name && one.bytes == other.bytes
            }
            _ => false,
        }
    }

    fn step(&self, id: TypeId, offset: u32, size: u32) -> Option<(String, TypeId, u32)> {
        if self.is_named(id, is_of_the_library) {
            return None;
        }
        match &self.plain(id)?.1.shape {
            Shape::Array(Some(element), count) => {
                let bytes = self.bytes(*element);
                let index = offset.checked_div(bytes)?;
                let inside = count.is_none_or(|count| count == 0 || index < count);
                inside.then(|| (format!("[{index}]"), *element, offset % bytes))
            }
            Shape::Record(members) => {
                let member = self.member_at(members, offset, size)?;
                let step = member.name.as_ref().map(|name| format!(".{name}")).unwrap_or_default();
                Some((step, member.of?, offset - member.offset))
            }
            _ => None,
        }
    }

    /// The member at an offset: of a `union`, one of the right size if there is one.
    fn member_at<'a>(&self, members: &'a [Member], offset: u32, size: u32) -> Option<&'a Member> {
        let holds = |member: &&Member| {
            let bytes = member.of.map_or(0, |of| self.bytes(of));
            let into = offset.checked_sub(member.offset);
            // Without a size it is the open end of the whole.
            into.is_some_and(|into| bytes == 0 || into < bytes)
        };
        let bytes = |member: &&&Member| member.of.map_or(0, |of| self.bytes(of));
        let held: Vec<&Member> = members.iter().filter(holds).collect();
        let exact = held.iter().find(|member| bytes(member) == size);
        exact.or_else(|| held.iter().find(|member| bytes(member) > 0)).or(held.last()).copied()
    }
}

/// Names of the types whose insides belong to the thread library.
fn is_of_the_library(name: &str) -> bool {
    name == "sem_t" || name.starts_with("pthread_") && name.ends_with("_t")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(name: &str, offset: u32, of: TypeId) -> Member {
        let name = (!name.is_empty()).then(|| name.to_owned());
        Member { name, offset, of: Some(of) }
    }

    fn with(types: &mut Types, name: &str, bytes: u32, shape: Shape) -> TypeId {
        let id = types.add();
        let name = (!name.is_empty()).then(|| name.to_owned());
        *types.get_mut(id).unwrap() = Type { name, bytes, shape };
        id
    }

    #[test]
    fn a_path_goes_through_members_and_elements_and_stops_at_a_lock() {
        let mut types = Types::default();
        let int = with(&mut types, "int", 4, Shape::Scalar);
        let inside = with(&mut types, "", 4, Shape::Record(vec![member("state", 0, int)]));
        let lock = with(&mut types, "pthread_mutex_t", 0, Shape::Alias(Some(inside)));
        let unnamed =
            with(&mut types, "", 4, Shape::Record(vec![member("a", 0, int), member("b", 0, int)]));
        let members = vec![member("lock", 0, lock), member("", 4, unnamed)];
        let slot = with(&mut types, "slot", 8, Shape::Record(members));
        let slots = with(&mut types, "", 0, Shape::Array(Some(slot), Some(3)));
        types.index();
        let path = |offset| types.path(slots, offset, 4);
        assert_eq!([path(0), path(8), path(20)], ["[0].lock", "[1].lock", "[2].a"]);
        assert_eq!(path(24), "", "behind the end");
        assert_eq!(types.bytes(slots), 24);
        assert_eq!(types.member(slot, "b"), Some((4, int)));
    }

    #[test]
    fn types_that_contain_themselves_come_to_an_end() {
        let mut types = Types::default();
        let id = types.add();
        types.get_mut(id).unwrap().shape = Shape::Alias(Some(id));
        assert_eq!((types.plain(id), types.bytes(id)), (None, 0));
        let id = types.add();
        let of = types.get_mut(id).unwrap();
        of.shape = Shape::Record(vec![member("", 0, id)]);
        of.bytes = 4;
        assert_eq!(types.path(id, 0, 4), "");
        assert_eq!(types.member(id, "x"), None);
        types.get_mut(id).unwrap().shape = Shape::Array(Some(id), Some(1));
        assert_eq!(types.bytes(id), 0);
    }
}
