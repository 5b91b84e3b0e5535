// An atomic snooping bus for two caches, with the memory behind it: one transaction a cycle.
//
// It stands for the interconnect that you already have. Lines marked "monitor" are what was added: the
// metadata that travels with a line, the number of the transaction, and the facts that the requester's
// monitor wants to know.
`default_nettype none

module example_bus #(
    parameter META = 76
) (
    input  wire clk,
    input  wire rst,

    // What the two caches want, cache 0 in the low bits.
    input  wire [1:0] want,
    input  wire [1:0] kind_0,
    input  wire [1:0] kind_1,
    input  wire [31:0] address_0,
    input  wire [31:0] address_1,
    input  wire [31:0] victim_data_0,
    input  wire [31:0] victim_data_1,
    input  wire [META-1:0] own_meta_0, // monitor
    input  wire [META-1:0] own_meta_1, // monitor

    // What they say about the line in question.
    input  wire [1:0] holds,
    input  wire [1:0] owns,
    input  wire [31:0] held_data_0,
    input  wire [31:0] held_data_1,
    input  wire [META-1:0] held_meta_0, // monitor
    input  wire [META-1:0] held_meta_1, // monitor

    // The transaction of this cycle.
    output wire [1:0] granted,
    output wire [1:0] kind,
    output wire [31:0] address,
    output wire [31:0] supplied_data,
    output wire [1:0] share,
    output wire [1:0] invalidate,
    output wire communicating, // monitor: the other cache holds the line
    output wire from_memory, // monitor: a Read that memory serves
    output wire [META-1:0] supplied_meta, // monitor
    output wire [31:0] number // monitor: of this transaction, from 1
);

  localparam [1:0] READ = 2'd0, READX = 2'd1, UPGRADE = 2'd2, WRITE_BACK = 2'd3;

  // Who was not served last comes first.
  reg last;
  wire winner = want == 2'b11 ? !last : want[1];
  wire busy = want != 2'b00;
  assign granted = busy ? (winner ? 2'b10 : 2'b01) : 2'b00;

  assign kind = winner ? kind_1 : kind_0;
  assign address = winner ? address_1 : address_0;

  wire other_holds = winner ? holds[0] : holds[1];
  wire other_owns = winner ? owns[0] : owns[1];
  wire moves_line = busy && kind != WRITE_BACK;
  wire [1:0] other = ~granted;
  assign share = moves_line && kind == READ ? other & holds : 2'b00;
  assign invalidate = moves_line && kind != READ ? other & holds : 2'b00;

  // Memory: 64 words, repeated over all addresses. A modified line reaches it when it is read by the
  // other cache, and when it leaves.
  reg [31:0] memory [0:63];
  integer first;
  initial for (first = 0; first < 64; first = first + 1) memory[first] = 32'd0;
  wire [5:0] row = address[7:2];
  wire [31:0] held_data = winner ? held_data_0 : held_data_1;
  wire [31:0] victim_data = winner ? victim_data_1 : victim_data_0;
  assign supplied_data = other_holds ? held_data : memory[row];
  always @(posedge clk) begin
    if (busy && kind == WRITE_BACK) memory[row] <= victim_data;
    else if (busy && kind == READ && other_owns) memory[row] <= held_data;
  end

  // monitor: the holder's copy of the metadata; an Upgrade has its own; memory knows none.
  wire [META-1:0] held_meta = winner ? held_meta_0 : held_meta_1;
  wire [META-1:0] own_meta = winner ? own_meta_1 : own_meta_0;
  assign supplied_meta = kind == UPGRADE ? own_meta :
                         other_holds     ? held_meta :
                         {META{1'b0}};
  assign communicating = moves_line && other_holds;
  assign from_memory = kind == READ && !other_holds;

  // monitor: Reads, ReadXs and Upgrades are numbered; write-backs are not.
  reg [31:0] count;
  assign number = count + 32'd1;

  always @(posedge clk) begin
    if (rst) begin
      last <= 1'b1;
      count <= 32'd0;
    end else if (busy) begin
      last <= winner;
      if (moves_line) count <= number;
    end
  end

  wire unused = &{1'b0, address[31:8], address[1:0], READX};

endmodule

`default_nettype wire
