// Accesses of two cores, and the edges that a person counted for them: one step after the other, all at
// the rising clock edge, so that every simulator runs it alike. `bench.v` gives it a clock.
`default_nettype none

module example_test (
    input  wire clk,
    output reg finished,
    output reg [31:0] failures
);

  // The line A shares its place in the cache with C.
  localparam [31:0] A = 32'h40, B = 32'h44, C = 32'h60, D = 32'h48;
  localparam LOAD = 1'b0, STORE = 1'b1, U = 1'b0, M = 1'b1;
  // Word 6 of an entry: kind, source hart, sink hart.
  localparam [15:0] RAW = 16'd0, WAW = 16'd1, MEMORY = 16'd2;
  // The monitor's registers.
  localparam [9:0] COUNT = 10'd16, LOST = 10'd17, WATERMARK = 10'd18, FILTER = 10'd32,
                   LOW = 10'd33, HIGH = 10'd34, CONTEXT = 10'd37;

  reg rst;
  reg [1:0] request;
  reg [1:0] write;
  reg [63:0] address;
  reg [63:0] write_data; // of a load: what it must find
  reg [63:0] pc;
  reg [1:0] machine_mode;
  wire [1:0] done;
  wire [63:0] read_data;
  reg [1:0] register_read;
  reg [1:0] register_write;
  reg [9:0] register_address;
  reg [31:0] register_write_data;
  wire [63:0] register_read_data;
  wire [1:0] irq;

  example dut (
    .clk(clk),
    .rst(rst),
    .request(request),
    .write(write),
    .address(address),
    .write_data(write_data),
    .pc(pc),
    .machine_mode(machine_mode),
    .done(done),
    .read_data(read_data),
    .register_read(register_read),
    .register_write(register_write),
    .register_address(register_address),
    .register_write_data(register_write_data),
    .register_read_data(register_read_data),
    .irq(irq)
  );

  // A step begins when the one before has ended: its accesses are done, its registers read.
  reg [5:0] step;
  reg [9:0] waited;
  reg [2:0] words_left;
  reg reader;
  reg [223:0] expected; // the words still to be read, the next one lowest
  wire reading = register_read != 2'b00;
  reg compares;
  wire busy = request != 2'b00 || reading || compares || words_left != 3'd0;

  task check(input [31:0] found, input [31:0] right);
    if (found !== right) begin
      $display("step %0d: found %0h, expected %0h", step - 6'd1, found, right);
      failures <= failures + 32'd1;
    end
  endtask

  task access(input hart, input store, input [31:0] place, input [31:0] value,
              input [31:0] instruction, input mode);
    begin
      request[hart] <= 1'b1;
      write[hart] <= store;
      address[32*hart +: 32] <= place;
      write_data[32*hart +: 32] <= value;
      pc[32*hart +: 32] <= instruction;
      machine_mode[hart] <= mode;
    end
  endtask

  task set_registers(input [1:0] harts, input [9:0] register, input [31:0] value);
    begin
      register_write <= harts;
      register_address <= register;
      register_write_data <= value;
    end
  endtask

  task expect_words(input hart, input [9:0] first, input [2:0] count, input [223:0] values);
    begin
      reader <= hart;
      register_read <= 2'b01 << hart;
      register_address <= first;
      words_left <= count;
      expected <= values;
    end
  endtask

  task expect_register(input hart, input [9:0] register, input [31:0] value);
    expect_words(hart, register, 3'd1, {192'd0, value});
  endtask

  // The oldest edge. Reading its last word takes it out of the table.
  task expect_edge(input hart, input [15:0] kind, input [7:0] source, input [31:0] source_pc,
                   input [9:0] source_ctx, input [31:0] source_time, input [31:0] sink_pc,
                   input [9:0] sink_ctx, input [31:0] sink_time);
    expect_words(hart, 10'd0, 3'd7,
                 {kind, source, 7'd0, hart, sink_time, source_time, 22'd0, sink_ctx, 22'd0,
                  source_ctx, sink_pc, source_pc});
  endtask

  // The steps. Contexts: newest event in the low two bits; LcRd 0, LcWr 1, RmRd 2, RmWr 3.
  task begin_step;
    case (step)
      // The monitored code is 0x1000 up to 0x2000, in U mode.
      0: set_registers(2'b11, LOW, 32'h1000);
      1: set_registers(2'b11, HIGH, 32'h2000);
      2: set_registers(2'b11, FILTER, 32'b011);
      3: set_registers(2'b10, WATERMARK, 32'd4);
      //                                               number: what happens
      4: access(0, STORE, A, 32'd10, 32'h1000, U);  // 1: from memory, no edge
      5: access(1, LOAD, A, 32'd10, 32'h1004, U);   // 2: RAW; contexts 2 and 0
      6: access(1, STORE, A, 32'd11, 32'h1008, U);  // 3: WAW; contexts 2.3 and 0.1
      7: access(1, STORE, A, 32'd12, 32'h100c, U);  // a hit: nothing
      8: access(0, LOAD, A, 32'd12, 32'h1010, U);   // 4: RAW; contexts 2.3.0 and 0.1.2
      9: access(0, LOAD, B, 32'd0, 32'h1014, U);    // 5: from memory; contexts stay
      10: access(1, STORE, B, 32'd13, 32'h5000, U); // 6: outside the range: no edge, no event
      11: access(0, LOAD, B, 32'd13, 32'h1018, U);  // 7: RAW; contexts 2.3.0.0 and 0.1.2.2
      12: access(1, STORE, B, 32'd14, 32'h101c, M); // 8: mode not selected: marks it NULL
      13: access(0, LOAD, B, 32'd14, 32'h1020, U);  // 9: RAW; contexts 2.3.0.0.0 and 0.1.2.2.2
      14: access(0, STORE, A, 32'd15, 32'h1024, U); // 10: WAW; contexts 3.0.0.0.1 and 1.2.2.2.3
      15: access(0, LOAD, C, 32'd0, 32'h1028, U);   // A is written back; 11: from memory
      16: access(1, LOAD, A, 32'd15, 32'h102c, U);  // 12: from memory; A's writer is forgotten
      17: check({30'd0, irq}, 32'b00);
      18: begin // Both at once. Core 1 was served last, so core 0 comes first.
        access(0, LOAD, D, 32'd0, 32'h1030, U);     // 13: from memory; contexts stay
        access(1, STORE, D, 32'd17, 32'h1034, U);   // 14: WAW; contexts 0.0.0.1.3 and 2.2.2.3.1
      end
      19: check({30'd0, irq}, 32'b10);
      20: access(0, LOAD, D, 32'd17, 32'h6000, U);  // 15: outside the range
      21: expect_register(0, COUNT, 32'd7);
      22: expect_register(1, COUNT, 32'd4);
      23: expect_register(0, CONTEXT, 32'b00_00_00_01_11);
      24: expect_register(1, CONTEXT, 32'b10_10_10_11_01);
      // Source hart, pc, context, number; sink pc, context, number.
      25: expect_edge(0, RAW, 1, 32'h1008, 10'b0, 3, 32'h1010, 10'b10_11, 4);
      26: expect_edge(0, MEMORY, 0, 32'h0, 10'b0, 0, 32'h1014, 10'b10_11_00, 5);
      27: expect_edge(0, RAW, 1, 32'h5000, 10'b01_10, 6, 32'h1018, 10'b10_11_00, 7);
      28: expect_edge(0, RAW, 0, 32'h0, 10'b0, 0, 32'h1020, 10'b10_11_00_00, 9);
      29: expect_edge(0, WAW, 1, 32'h1008, 10'b0, 3, 32'h1024, 10'b10_11_00_00_00, 10);
      30: expect_edge(0, MEMORY, 0, 32'h0, 10'b0, 0, 32'h1028, 10'b11_00_00_00_01, 11);
      31: expect_edge(0, MEMORY, 0, 32'h0, 10'b0, 0, 32'h1030, 10'b11_00_00_00_01, 13);
      32: expect_edge(1, RAW, 0, 32'h1000, 10'b0, 1, 32'h1004, 10'b0, 2);
      33: expect_edge(1, WAW, 0, 32'h1000, 10'b0, 1, 32'h1008, 10'b0, 3);
      34: expect_edge(1, MEMORY, 0, 32'h0, 10'b0, 0, 32'h102c, 10'b01_10_10_10_11, 12);
      35: expect_edge(1, WAW, 0, 32'h0, 10'b0, 0, 32'h1034, 10'b01_10_10_10_11, 14);
      36: expect_register(0, COUNT, 32'd0);
      37: expect_register(1, COUNT, 32'd0);
      38: expect_register(0, LOST, 32'd0);
      39: expect_register(1, LOST, 32'd0);
      40: check({30'd0, irq}, 32'b00);
      default: finished <= 1'b1;
    endcase
  endtask

  integer hart;
  always @(posedge clk) begin
    rst <= 1'b0;
    register_write <= 2'b00;
    waited <= busy ? waited + 10'd1 : 10'd0;
    if (waited == 10'd1000) begin
      $display("step %0d does not end", step - 6'd1);
      failures <= failures + 32'd1;
      finished <= 1'b1;
    end
    for (hart = 0; hart < 2; hart = hart + 1) begin
      if (request[hart] && done[hart]) begin
        request[hart] <= 1'b0;
        if (!write[hart]) check(read_data[32*hart +: 32], write_data[32*hart +: 32]);
      end
    end
    // A register's value is there one cycle after it was asked for.
    register_read <= 2'b00;
    compares <= reading;
    if (compares) begin
      check(reader ? register_read_data[63:32] : register_read_data[31:0], expected[31:0]);
      expected <= expected >> 32;
      words_left <= words_left - 3'd1;
      if (words_left > 3'd1) begin
        register_read <= 2'b01 << reader;
        register_address <= register_address + 10'd1;
      end
    end
    if (!rst && !busy && !finished) begin
      step <= step + 6'd1;
      begin_step;
    end
  end

  initial begin
    rst = 1'b1;
    finished = 1'b0;
    failures = 32'd0;
    request = 2'b00;
    register_read = 2'b00;
    register_write = 2'b00;
    step = 6'd0;
    waited = 10'd0;
    words_left = 3'd0;
    compares = 1'b0;
  end

endmodule

`default_nettype wire
