//! Strongly connected components (Tarjan), without recursion: a path may be a million long.

/// The components of a graph, each after all that it leads to.
pub(crate) struct Components {
    vertices: Vec<u32>,
    /// For each vertex whether it is the last one of its component.
    is_last: Vec<bool>,
}

impl Components {
    /// The components reachable from `roots` in a graph of `count` vertices. `successors` appends
    /// those of a vertex to a list.
    pub fn of(
        count: usize,
        roots: impl Iterator<Item = u32>,
        mut successors: impl FnMut(u32, &mut Vec<u32>),
    ) -> Components {
        const UNSEEN: u32 = 0;
        const DONE: u32 = u32::MAX;
        struct Visit {
            vertex: u32,
            /// Its successors are in `pending` from here.
            start: usize,
            /// The earliest vertex found to be reachable.
            low: u32,
        }
        let mut found =
            Components { vertices: Vec::with_capacity(count), is_last: Vec::with_capacity(count) };
        let mut number = vec![UNSEEN; count];
        let mut next = 1;
        let mut open: Vec<u32> = Vec::new();
        let mut pending: Vec<u32> = Vec::new();
        let mut visits: Vec<Visit> = Vec::new();
        for root in roots {
            if number[root as usize] == UNSEEN {
                pending.push(root);
            }
            while let Some(vertex) = pending.pop() {
                let seen = number[vertex as usize];
                if seen == UNSEEN {
                    number[vertex as usize] = next;
                    open.push(vertex);
                    visits.push(Visit { vertex, start: pending.len(), low: next });
                    next += 1;
                    successors(vertex, &mut pending);
                } else if let Some(visit) = visits.last_mut()
                    && seen != DONE
                {
                    visit.low = visit.low.min(seen);
                }
                while let Some(visit) = visits.last()
                    && visit.start == pending.len()
                {
                    let (vertex, low) = (visit.vertex, visit.low);
                    visits.pop();
                    if low == number[vertex as usize] {
                        while let Some(member) = open.pop() {
                            number[member as usize] = DONE;
                            found.vertices.push(member);
                            found.is_last.push(member == vertex);
                            if member == vertex {
                                break;
                            }
                        }
                    } else if let Some(outer) = visits.last_mut() {
                        outer.low = outer.low.min(low);
                    }
                }
            }
        }
        found
    }

    /// Each component's vertices, as far as possible after those they lead to.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        let mut start = 0;
        std::iter::from_fn(move || {
            let len = self.is_last[start..].iter().position(|&last| last)? + 1;
            start += len;
            Some(&self.vertices[start - len..start])
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn components(edges: &[(u32, u32)], count: usize) -> Vec<Vec<u32>> {
        let found = Components::of(count, 0..count as u32, |vertex, list| {
            list.extend(edges.iter().filter(|(from, _)| *from == vertex).map(|(_, to)| *to));
        });
        let sorted = |component: &[u32]| {
            let mut component = component.to_vec();
            component.sort();
            component
        };
        found.iter().map(sorted).collect()
    }

    #[test]
    fn cycles_are_one_component_and_come_after_what_they_lead_to() {
        let edges = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 3), (5, 0)];
        assert_eq!(components(&edges, 6), [vec![3, 4], vec![0, 1, 2], vec![5]]);
    }

    #[test]
    fn figures_of_eight_and_cross_edges_are_followed() {
        let edges = [(0, 1), (1, 0), (0, 2), (2, 3), (3, 0), (4, 3), (4, 2)];
        assert_eq!(components(&edges, 5), [vec![0, 1, 2, 3], vec![4]]);
    }

    #[test]
    fn a_path_of_a_million_vertices_needs_no_stack() {
        let count = 1_000_000;
        let found = Components::of(count, std::iter::once(0), |vertex, list| {
            list.extend((vertex + 1 < count as u32).then_some(vertex + 1));
        });
        assert_eq!(found.iter().count(), count);
    }
}
