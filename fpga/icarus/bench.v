// A program on the generated machine, checked: what it prints, how it ends and which edges it makes.
//
// Plain Verilog-2005, for any simulator; `run.sh` calls Icarus. The program is
// firmware/suites/multi/handover.S: two harts hand a number back and forth, which makes 32 edges that
// are counted by hand. Prints PASS or FAIL and a reason.
`default_nettype none

module bench;

  // What the machine's configuration decides: the bytes of a line, and whether there is a monitor.
  parameter LINE = 32;
  parameter MONITOR = 1;

  localparam [31:0] RAM = 32'h8000_0000;
  localparam RAM_WORDS = 4096;
  localparam LATENCY = 1;
  localparam LIMIT = 50000;

  // What must come out.
  localparam [31:0] TOHOST = 32'h8000_1000;
  localparam [31:0] PASSED = 32'd1;
  localparam TEXT = "8 rounds\n";
  localparam LENGTH = 9;
  localparam RAW = 16;
  localparam WAW = 16;

  reg clk = 0;
  reg rst = 1;
  always #5 clk = !clk;

  // Memory: one request at a time, reads answered after LATENCY cycles.
  reg [31:0] ram [0:RAM_WORDS-1];
  reg [8*LINE-1:0] line;
  reg answer = 0;
  integer wait_left = 0;
  wire memory_valid;
  wire memory_write;
  wire memory_taken;
  wire [31:0] memory_address;
  wire [8*LINE-1:0] memory_data;
  wire [31:0] first_word = (memory_address - RAM) >> 2;
  wire idle = !answer && wait_left == 0;
  integer word;

  always @(posedge clk) begin
    if (memory_valid && idle && !rst) begin
      if (first_word + LINE / 4 > RAM_WORDS) begin
        failed("the machine asks for memory that is not there");
      end
      for (word = 0; word < LINE / 4; word = word + 1) begin
        if (memory_write) ram[first_word + word] <= memory_data[32*word +: 32];
        else line[32*word +: 32] <= ram[first_word + word];
      end
      if (!memory_write) wait_left <= LATENCY;
    end
    if (wait_left > 0) begin
      wait_left <= wait_left - 1;
      answer <= wait_left == 1;
    end
    if (answer && memory_taken) answer <= 0;
  end

  wire uart_valid;
  wire [7:0] uart_byte;
  wire stored;
  wire [31:0] stored_word;

  soc dut (
    .clk(clk),
    .rst(rst),
    .run(1'b1),
    .ram_last(RAM + 4 * RAM_WORDS - 1),
    .host_request_valid(1'b0),
    .host_request_ready(),
    .host_request_payload_write(1'b0),
    .host_request_payload_address(32'd0),
    .host_request_payload_data({8*LINE{1'b0}}),
    .host_request_payload_mask({LINE{1'b0}}),
    .host_response_valid(),
    .host_response_ready(1'b1),
    .host_response_payload(),
    .memory_request_valid(memory_valid),
    .memory_request_ready(idle),
    .memory_request_payload_write(memory_write),
    .memory_request_payload_address(memory_address),
    .memory_request_payload_data(memory_data),
    .memory_response_valid(answer),
    .memory_response_ready(memory_taken),
    .memory_response_payload(line),
    .perturbation_seed(64'd0),
    .perturbation_chance(9'd0),
    .perturbation_burst(9'd0),
    .perturbation_max_stall(11'd0),
    .perturbation_max_passes(7'd0),
    .perturbation_rest_chance(16'd0),
    .perturbation_max_rest(16'd0),
    .perturbation_max_hold(16'd0),
    .perturbation_changes(3'd0),
    .perturbation_change_range(16'd0),
    .uart_tx_valid(uart_valid),
    .uart_tx_ready(1'b1),
    .uart_tx_payload(uart_byte),
    .uart_rx_valid(1'b0),
    .uart_rx_ready(),
    .uart_rx_payload(8'd0),
    .watch_address(TOHOST),
    .watch_valid(stored),
    .watch_data(stored_word)
  );

  // The edges, where there are any: a machine without a monitor has no such ports.
  integer raw = 0;
  integer waw = 0;
  integer other = 0;
  generate
    if (MONITOR) begin : tap
      always @(posedge clk) begin
        if (!rst && dut.tap_valid !== 1'b0) begin
          case (dut.tap_edge_kind)
            2'd0: raw = raw + 1;
            2'd1: waw = waw + 1;
            default: other = other + 1;
          endcase
        end
      end
    end
  endgenerate

  // The console.
  reg [8*LENGTH-1:0] printed = 0;
  integer bytes = 0;
  always @(posedge clk) begin
    if (!rst && uart_valid !== 1'b0) begin
      printed = {printed[8*LENGTH-9:0], uart_byte};
      bytes = bytes + 1;
      $write("%c", uart_byte);
    end
  end

  // The end: a store to `tohost`. Looked for between clock edges, when all counting is done.
  integer cycles = 0;
  always @(negedge clk) begin
    cycles = cycles + 1;
    if (!rst && stored !== 1'b0) begin
      if (stored_word !== PASSED) failed("the program found a mistake");
      if (bytes != LENGTH || printed !== TEXT) failed("the console shows something else");
      if (MONITOR && (raw != RAW || waw != WAW || other != 0)) begin
        $display("edges: %0d RAW, %0d WAW, %0d others", raw, waw, other);
        failed("these are not the edges counted by hand");
      end
      $display("PASS after %0d cycles, %0d edges", cycles, raw + waw);
      $finish;
    end
    if (cycles == LIMIT) failed("the program does not end");
  end

  task failed(input [8*64-1:0] reason);
    begin
      $display("FAIL in cycle %0d: %0s", cycles, reason);
      $finish;
    end
  endtask

  reg [8*1024-1:0] program;
  initial begin
    if (!$value$plusargs("program=%s", program)) program = "program.hex";
    for (word = 0; word < RAM_WORDS; word = word + 1) ram[word] = 0;
    $readmemh(program, ram);
    repeat (4) @(posedge clk);
    @(negedge clk) rst = 0;
  end

endmodule

`default_nettype wire
