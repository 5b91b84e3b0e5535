// Two cores' caches on a bus, each with its monitor. The cores themselves are outside: whoever makes
// the accesses says which instruction makes them.
`default_nettype none

module example (
    input  wire clk,
    input  wire rst,

    // The cores' accesses; core 0 in the low bits.
    input  wire [1:0] request,
    input  wire [1:0] write,
    input  wire [63:0] address,
    input  wire [63:0] write_data,
    input  wire [63:0] pc,
    input  wire [1:0] machine_mode,
    output wire [1:0] done,
    output wire [63:0] read_data,

    // The monitors' registers, and their interrupts.
    input  wire [1:0] register_read,
    input  wire [1:0] register_write,
    input  wire [9:0] register_address,
    input  wire [31:0] register_write_data,
    output wire [63:0] register_read_data,
    output wire [1:0] irq
);

  wire [1:0] want, holds, owns, granted, share, invalidate, monitored;
  wire [1:0] kind_0, kind_1, bus_kind;
  wire [31:0] address_0, address_1, bus_address;
  wire [31:0] victim_data_0, victim_data_1, held_data_0, held_data_1, supplied_data;
  wire [75:0] own_meta_0, own_meta_1, held_meta_0, held_meta_1, supplied_meta;
  wire communicating, from_memory;
  wire [31:0] number;

  example_node node_0 (
    .clk(clk),
    .rst(rst),
    .hart(2'd0),
    .request(request[0]),
    .write(write[0]),
    .address(address[31:0]),
    .write_data(write_data[31:0]),
    .pc(pc[31:0]),
    .machine_mode(machine_mode[0]),
    .done(done[0]),
    .read_data(read_data[31:0]),
    .want(want[0]),
    .want_kind(kind_0),
    .want_address(address_0),
    .victim_data(victim_data_0),
    .own_meta(own_meta_0),
    .holds(holds[0]),
    .owns(owns[0]),
    .held_data(held_data_0),
    .held_meta(held_meta_0),
    .granted(granted[0]),
    .bus_kind(bus_kind),
    .bus_address(bus_address),
    .supplied_data(supplied_data),
    .supplied_meta(supplied_meta),
    .share(share[0]),
    .invalidate(invalidate[0]),
    .communicating(communicating),
    .from_memory(from_memory),
    .number(number),
    .monitored(monitored[0]),
    .other_monitored(monitored[1]),
    .register_read(register_read[0]),
    .register_write(register_write[0]),
    .register_address(register_address),
    .register_write_data(register_write_data),
    .register_read_data(register_read_data[31:0]),
    .irq(irq[0])
  );

  example_node node_1 (
    .clk(clk),
    .rst(rst),
    .hart(2'd1),
    .request(request[1]),
    .write(write[1]),
    .address(address[63:32]),
    .write_data(write_data[63:32]),
    .pc(pc[63:32]),
    .machine_mode(machine_mode[1]),
    .done(done[1]),
    .read_data(read_data[63:32]),
    .want(want[1]),
    .want_kind(kind_1),
    .want_address(address_1),
    .victim_data(victim_data_1),
    .own_meta(own_meta_1),
    .holds(holds[1]),
    .owns(owns[1]),
    .held_data(held_data_1),
    .held_meta(held_meta_1),
    .granted(granted[1]),
    .bus_kind(bus_kind),
    .bus_address(bus_address),
    .supplied_data(supplied_data),
    .supplied_meta(supplied_meta),
    .share(share[1]),
    .invalidate(invalidate[1]),
    .communicating(communicating),
    .from_memory(from_memory),
    .number(number),
    .monitored(monitored[1]),
    .other_monitored(monitored[0]),
    .register_read(register_read[1]),
    .register_write(register_write[1]),
    .register_address(register_address),
    .register_write_data(register_write_data),
    .register_read_data(register_read_data[63:32]),
    .irq(irq[1])
  );

  example_bus bus (
    .clk(clk),
    .rst(rst),
    .want(want),
    .kind_0(kind_0),
    .kind_1(kind_1),
    .address_0(address_0),
    .address_1(address_1),
    .victim_data_0(victim_data_0),
    .victim_data_1(victim_data_1),
    .own_meta_0(own_meta_0),
    .own_meta_1(own_meta_1),
    .holds(holds),
    .owns(owns),
    .held_data_0(held_data_0),
    .held_data_1(held_data_1),
    .held_meta_0(held_meta_0),
    .held_meta_1(held_meta_1),
    .granted(granted),
    .kind(bus_kind),
    .address(bus_address),
    .supplied_data(supplied_data),
    .share(share),
    .invalidate(invalidate),
    .communicating(communicating),
    .from_memory(from_memory),
    .supplied_meta(supplied_meta),
    .number(number)
  );

endmodule

`default_nettype wire
