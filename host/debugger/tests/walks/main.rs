//! Recorded runs of real programs, walked through at random and compared with the plainest models.

mod client;
mod common;
mod cores;
mod dialogues;
mod garbage;
mod moments;
mod steps;
mod writers;
