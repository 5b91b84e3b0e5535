//! Writes a run, record by record.

use crate::frame::{self, FrameKind};
use crate::payload::{self, EndFrame, Shape};
use crate::{Edge, Ending, Hart, Header, Total};
use std::io::{self, Write};

/// Writes a run as frames; [`Self::finish`] completes it.
#[derive(Debug)]
pub struct RunWriter<W: Write> {
    out: W,
    /// Records of the current frame, all of one layout.
    pending: Vec<u8>,
    shape: Option<Shape>,
    /// Frames not yet written.
    frames: Vec<u8>,
    sequence: u8,
    records: u64,
    chain: u32,
}

/// Bytes per write.
const BATCH: usize = 1 << 16;

impl<W: Write> RunWriter<W> {
    /// Begins a run.
    pub fn new(out: W, header: &Header) -> io::Result<Self> {
        let mut writer = Self {
            out,
            pending: Vec::new(),
            shape: None,
            frames: Vec::new(),
            sequence: 0,
            records: 0,
            chain: 0,
        };
        writer.frame(FrameKind::Header, &payload::header_bytes(header))?;
        Ok(writer)
    }

    /// Adds one edge.
    pub fn edge(&mut self, edge: &Edge) -> io::Result<()> {
        self.record(Shape::for_edge(edge, false), &Total::from(*edge))
    }

    /// Adds an edge that happened `count` times; a count of zero adds nothing.
    pub fn total(&mut self, total: &Total) -> io::Result<()> {
        match total.count {
            0 => Ok(()),
            _ => self.record(Shape::for_edge(&total.edge, true), total),
        }
    }

    /// Records the number of edges a hart has lost since the run began. The largest number counts.
    pub fn lost(&mut self, hart: Hart, lost: u32) -> io::Result<()> {
        self.flush_records()?;
        self.frame(FrameKind::Lost, &payload::lost_bytes(hart, lost))
    }

    /// Ends the run and returns the output.
    pub fn finish(mut self, ending: &Ending) -> io::Result<W> {
        self.flush_records()?;
        let ending = ending.clone();
        let end = EndFrame { ending, records: self.records, chain: self.chain };
        self.frame(FrameKind::End, &payload::end_bytes(&end))?;
        self.out.write_all(&self.frames)?;
        self.out.flush()?;
        Ok(self.out)
    }

    fn record(&mut self, shape: Shape, total: &Total) -> io::Result<()> {
        let full = self.pending.len() >= shape.capacity() * shape.size();
        if self.shape != Some(shape) || full {
            self.flush_records()?;
            self.shape = Some(shape);
        }
        shape.append(total, &mut self.pending);
        self.records += 1;
        Ok(())
    }

    fn flush_records(&mut self) -> io::Result<()> {
        let Some(shape) = self.shape.take() else { return Ok(()) };
        let pending = std::mem::take(&mut self.pending);
        self.frame(shape.kind(), &pending)?;
        self.pending = pending;
        self.pending.clear();
        Ok(())
    }

    fn frame(&mut self, kind: FrameKind, payload: &[u8]) -> io::Result<()> {
        let checksum = frame::append(kind, self.sequence, payload, &mut self.frames);
        self.sequence = self.sequence.wrapping_add(1);
        self.chain = frame::chain(self.chain, checksum);
        if self.frames.len() >= BATCH {
            self.out.write_all(&self.frames)?;
            self.frames.clear();
        }
        Ok(())
    }
}
