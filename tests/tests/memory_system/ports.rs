//! The ports of the memory system, found once by name.

use cosim::{Model, PortId};

macro_rules! ports {
    (
        $($port:ident: $name:literal,)* ;
        $($each:ident: $pattern:literal,)* ;
        $($monitored:ident: $monitored_pattern:literal,)* ;
        $($colored:ident: $colored_pattern:literal,)*
    ) => {
        pub struct Ports {
            $(pub $port: PortId,)*
            $(pub $each: Vec<PortId>,)*
            $(
                /// Empty without monitors.
                pub $monitored: Vec<PortId>,
            )*
            $(
                /// Empty without transactions.
                pub $colored: Vec<PortId>,
            )*
        }

        impl Ports {
            pub fn of(
                model: &Model,
                harts: usize,
                monitored: bool,
                colored: bool,
            ) -> Ports {
                let find = |name: &str| {
                    model.port(name).unwrap_or_else(|| panic!("there is no port `{name}`"))
                };
                let each = |pattern: &str, harts: usize| {
                    (0..harts).map(|hart| find(&pattern.replace('#', &hart.to_string()))).collect()
                };
                let monitored = if monitored { harts } else { 0 };
                let colored = if colored { harts } else { 0 };
                Ports {
                    $($port: find($name),)*
                    $($each: each($pattern, harts),)*
                    $($monitored: each($monitored_pattern, monitored),)*
                    $($colored: each($colored_pattern, colored),)*
                }
            }
        }
    };
}

ports! {
    rst: "rst",
    memory_request_valid: "memory_request_valid",
    memory_request_ready: "memory_request_ready",
    memory_request_write: "memory_request_payload_write",
    memory_request_address: "memory_request_payload_address",
    memory_request_data: "memory_request_payload_data",
    memory_response_valid: "memory_response_valid",
    memory_response_ready: "memory_response_ready",
    memory_response_payload: "memory_response_payload",
    host_request_valid: "host_request_valid",
    host_request_ready: "host_request_ready",
    host_request_write: "host_request_payload_write",
    host_request_address: "host_request_payload_address",
    host_request_data: "host_request_payload_data",
    host_request_mask: "host_request_payload_mask",
    host_response_valid: "host_response_valid",
    host_response_ready: "host_response_ready",
    host_response_payload: "host_response_payload",
    watch_address: "watch_address",
    watch_valid: "watch_valid",
    watch_data: "watch_data",
    watch_hart: "watch_hart",
    seed: "perturbation_seed",
    chance: "perturbation_chance",
    burst: "perturbation_burst",
    max_stall: "perturbation_max_stall",
    max_passes: "perturbation_max_passes",
    rest_chance: "perturbation_rest_chance",
    max_rest: "perturbation_max_rest",
    max_hold: "perturbation_max_hold",
    changes: "perturbation_changes",
    change_range: "perturbation_change_range",
    uart_tx_valid: "uart_tx_valid",
    uart_tx_ready: "uart_tx_ready",
    uart_tx_payload: "uart_tx_payload",
    uart_rx_valid: "uart_rx_valid",
    uart_rx_ready: "uart_rx_ready",
    uart_rx_payload: "uart_rx_payload",
    ;
    request_valid: "data_#_request_valid",
    request_ready: "data_#_request_ready",
    request_taken: "data_#_taken",
    request_address: "data_#_request_payload_address",
    request_op: "data_#_request_payload_op",
    request_amo: "data_#_request_payload_amo",
    request_mask: "data_#_request_payload_mask",
    request_load: "data_#_request_payload_load",
    request_data: "data_#_request_payload_data",
    cancel: "data_#_cancel",
    withdraw: "data_#_withdraw",
    withdrawable: "data_#_withdrawable",
    response_valid: "data_#_response_valid",
    response_data: "data_#_response_data",
    response_value: "data_#_response_value",
    late: "data_#_late",
    late_data: "data_#_late_data",
    late_written: "data_#_late_written",
    late_failed: "data_#_late_failed",
    waiting: "data_#_waiting",
    fetch_valid: "fetch_#_request_valid",
    fetch_address: "fetch_#_request_payload",
    fetch_response_valid: "fetch_#_response_valid",
    fetch_response_line: "fetch_#_response_line",
    held: "held_#",
    ;
    request_pc: "data_#_request_payload_pc",
    request_machine_mode: "data_#_request_payload_machine_mode",
    table_interrupt: "interrupts_table_#",
    ;
    walk_valid: "walk_#_request_valid",
    walk_address: "walk_#_request_payload",
    walk_response_valid: "walk_#_response_valid",
    walk_response_line: "walk_#_response_line",
    begins: "speculation_#_begins",
    commit: "speculation_#_commit",
    commit_cause: "speculation_#_cause",
    undone: "speculation_#_undone",
    open: "speculation_#_open",
    begun: "speculation_#_begun",
    committed: "speculation_#_committed",
    committed_cause: "speculation_#_committed_cause",
    aborted: "speculation_#_aborted",
    undoing: "speculation_#_undoing",
}

/// The bytes of a port's value.
pub fn to_bytes(value: &[u64]) -> Vec<u8> {
    value.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// The value of a port from bytes; their number is a multiple of eight.
pub fn from_bytes(bytes: &[u8]) -> Vec<u64> {
    let word = |eight: &[u8]| u64::from_le_bytes(eight.try_into().expect("eight bytes"));
    bytes.chunks(8).map(word).collect()
}
