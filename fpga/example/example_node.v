// A cache and its monitor: how `comm_monitor` is connected. One for each core.
`default_nettype none

module example_node (
    input  wire clk,
    input  wire rst,
    input  wire [1:0] hart,

    // The core: its access, and which instruction in which mode makes it.
    input  wire request,
    input  wire write,
    input  wire [31:0] address,
    input  wire [31:0] write_data,
    input  wire [31:0] pc,
    input  wire machine_mode,
    output wire done,
    output wire [31:0] read_data,

    // The bus.
    output wire want,
    output wire [1:0] want_kind,
    output wire [31:0] want_address,
    output wire [31:0] victim_data,
    output wire [75:0] own_meta,
    output wire holds,
    output wire owns,
    output wire [31:0] held_data,
    output wire [75:0] held_meta,
    input  wire granted,
    input  wire [1:0] bus_kind,
    input  wire [31:0] bus_address,
    input  wire [31:0] supplied_data,
    input  wire [75:0] supplied_meta,
    input  wire share,
    input  wire invalidate,
    input  wire communicating,
    input  wire from_memory,
    input  wire [31:0] number,

    // Between the monitors: what the requester's says, and what the other one's said.
    output wire monitored,
    input  wire other_monitored,

    // Software: the monitor's registers and its interrupt.
    input  wire register_read,
    input  wire register_write,
    input  wire [9:0] register_address,
    input  wire [31:0] register_write_data,
    output wire [31:0] register_read_data,
    output wire irq
);

  localparam [1:0] READ = 2'd0, WRITE_BACK = 2'd3;

  wire [75:0] store_meta;

  example_cache cache (
    .clk(clk),
    .rst(rst),
    .request(request),
    .write(write),
    .address(address),
    .write_data(write_data),
    .done(done),
    .read_data(read_data),
    .want(want),
    .kind(want_kind),
    .want_address(want_address),
    .victim_data(victim_data),
    .granted(granted),
    .supplied_data(supplied_data),
    .supplied_meta(supplied_meta),
    .store_meta(store_meta),
    .snoop_address(bus_address),
    .snoop_share(share),
    .snoop_invalidate(invalidate),
    .holds(holds),
    .owns(owns),
    .held_data(held_data),
    .held_meta(held_meta),
    .own_meta(own_meta)
  );

  // The tap is for simulation: software finds the same edges in the table.
  wire tap_valid;
  wire tap_lost;
  wire [75:0] tap_source;
  wire [75:0] tap_sink;
  wire [1:0] tap_kind;

  comm_monitor_32_1024_p32e5h2t32 monitor (
    .clk(clk),
    .rst(rst),
    .hart(hart),
    // At the grant, in that cycle only. A write-back is no access.
    .access_valid(granted && bus_kind != WRITE_BACK),
    .access_kind(bus_kind),
    .access_pc(pc),
    .access_machine_mode(machine_mode),
    .access_communicating(communicating),
    .access_from_memory(from_memory),
    .access_meta_pc(supplied_meta[75:44]),
    .access_meta_ctx(supplied_meta[43:34]),
    .access_meta_hart(supplied_meta[33:32]),
    .access_meta_time(supplied_meta[31:0]),
    .access_time(number),
    // The other core's access, if it is monitored and this cache held the line.
    .snoop_valid((share || invalidate) && other_monitored),
    .snoop_write(bus_kind != READ),
    .monitored(monitored),
    .store_meta_pc(store_meta[75:44]),
    .store_meta_ctx(store_meta[43:34]),
    .store_meta_hart(store_meta[33:32]),
    .store_meta_time(store_meta[31:0]),
    .irq(irq),
    .tap_valid(tap_valid),
    .tap_edge_source_pc(tap_source[75:44]),
    .tap_edge_source_ctx(tap_source[43:34]),
    .tap_edge_source_hart(tap_source[33:32]),
    .tap_edge_source_time(tap_source[31:0]),
    .tap_edge_sink_pc(tap_sink[75:44]),
    .tap_edge_sink_ctx(tap_sink[43:34]),
    .tap_edge_sink_hart(tap_sink[33:32]),
    .tap_edge_sink_time(tap_sink[31:0]),
    .tap_edge_kind(tap_kind),
    .tap_lost(tap_lost),
    .read_valid(register_read),
    .write_valid(register_write),
    .address(register_address),
    .write_data(register_write_data),
    .read_data(register_read_data)
  );

  wire unused = &{1'b0, tap_valid, tap_lost, tap_source, tap_sink, tap_kind};

endmodule

`default_nettype wire
