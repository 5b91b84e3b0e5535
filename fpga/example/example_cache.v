// A small data cache, written by hand: eight lines of one word, direct-mapped, write-back, MSI.
//
// It stands for the cache that you already have. Lines marked "monitor" are what was added to it: a
// row of metadata beside each line, stored and handed on with the line.
`default_nettype none

module example_cache #(
    parameter META = 76
) (
    input  wire clk,
    input  wire rst,

    // The core's access, held until `done`.
    input  wire request,
    input  wire write,
    input  wire [31:0] address,
    input  wire [31:0] write_data,
    output wire done,
    output wire [31:0] read_data,

    // What the bus is asked for; looked at again in every cycle until the grant.
    output wire want,
    output wire [1:0] kind,
    output wire [31:0] want_address,
    output wire [31:0] victim_data,

    // The grant, and what comes with it.
    input  wire granted,
    input  wire [31:0] supplied_data,
    input  wire [META-1:0] supplied_meta, // monitor: as the supplier had it
    input  wire [META-1:0] store_meta, // monitor: what to keep with a write

    // The other cache's transaction.
    input  wire [31:0] snoop_address,
    input  wire snoop_share,
    input  wire snoop_invalidate,
    output wire holds,
    output wire owns,
    output wire [31:0] held_data,
    output wire [META-1:0] held_meta, // monitor

    // The accessed line's own metadata, for an Upgrade.
    output wire [META-1:0] own_meta // monitor
);

  localparam [1:0] READ = 2'd0, READX = 2'd1, UPGRADE = 2'd2, WRITE_BACK = 2'd3;

  reg [7:0] valid;
  reg [7:0] modified;
  reg [26:0] tags [0:7];
  reg [31:0] words [0:7];
  reg [META-1:0] metas [0:7]; // monitor

  wire [2:0] index = address[4:2];
  wire present = valid[index] && tags[index] == address[31:5];
  wire hit = present && (!write || modified[index]);
  wire dirty_victim = valid[index] && modified[index] && !present;

  // A dirty line leaves in a transaction of its own, before its place is filled.
  assign want = request && !hit;
  assign kind = dirty_victim ? WRITE_BACK :
                !write       ? READ :
                present      ? UPGRADE :
                READX;
  assign want_address = dirty_victim ? {tags[index], index, 2'b00} : address;
  assign victim_data = words[index];
  assign own_meta = metas[index];

  wire filled = granted && kind != WRITE_BACK;
  assign done = request && (hit || filled);
  assign read_data = hit ? words[index] : supplied_data;

  wire [2:0] snoop_index = snoop_address[4:2];
  assign holds = valid[snoop_index] && tags[snoop_index] == snoop_address[31:5];
  assign owns = holds && modified[snoop_index];
  assign held_data = words[snoop_index];
  assign held_meta = metas[snoop_index];

  always @(posedge clk) begin
    if (rst) begin
      valid <= 8'd0;
      modified <= 8'd0;
    end else begin
      if (granted) begin
        valid[index] <= kind != WRITE_BACK;
        modified[index] <= kind == READX || kind == UPGRADE;
      end
      if (snoop_invalidate) valid[snoop_index] <= 1'b0;
      if (snoop_share) modified[snoop_index] <= 1'b0;
    end
    if (filled) tags[index] <= address[31:5];
    if (done && write) words[index] <= write_data;
    else if (filled) words[index] <= supplied_data;
    // monitor: a miss stores; a hit in M leaves the line as it was marked (policy `miss`).
    if (filled) metas[index] <= write ? store_meta : supplied_meta;
  end

  wire unused = &{1'b0, address[1:0], snoop_address[1:0]};

endmodule

`default_nettype wire
