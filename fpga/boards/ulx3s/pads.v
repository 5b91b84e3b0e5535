// The pins of a ULX3S around the machine.
//
// Here is what the hardware language has no words for: pins that go both ways, the device's own cells, and
// the reset at power-up. Everything else is in `computer_ulx3s`.
`default_nettype none

module ulx3s (
  input wire clk_25mhz,
  input wire btn1,
  output wire [7:0] led,
  output wire ftdi_rxd,
  input wire ftdi_txd,
  output wire wifi_gpio0,
  output wire sdram_clk,
  output wire sdram_cke,
  output wire sdram_csn,
  output wire sdram_rasn,
  output wire sdram_casn,
  output wire sdram_wen,
  output wire [1:0] sdram_ba,
  output wire [12:0] sdram_a,
  output wire [1:0] sdram_dqm,
  inout wire [15:0] sdram_d
);
  wire clk = clk_25mhz;

  // Reset for a while after power-up, with the button FIRE1, and when the loader asks for it.
  wire restart;
  reg [1:0] pressed = 2'b00;
  reg [3:0] since_reset = 4'd0;
  reg rst = 1'b1;
  always @(posedge clk) begin
    pressed <= {pressed[0], btn1};
    rst <= since_reset != 4'd15;
    if (restart || pressed[1]) since_reset <= 4'd0;
    else if (since_reset != 4'd15) since_reset <= since_reset + 4'd1;
  end

  // The memory's clock is the inverse of ours.
  ODDRX1F clock_out (.D0(1'b0), .D1(1'b1), .SCLK(clk), .RST(1'b0), .Q(sdram_clk));
  assign sdram_cke = 1'b1;
  assign sdram_csn = 1'b0;
  assign sdram_dqm = 2'b00;

  wire [15:0] data_out;
  wire [15:0] data_in;
  wire data_drive;
  genvar i;
  generate
    for (i = 0; i < 16; i = i + 1) begin : data
      BB pad (.I(data_out[i]), .T(~data_drive), .O(data_in[i]), .B(sdram_d[i]));
    end
  endgenerate

  // Low would start the other program in the flash chip.
  assign wifi_gpio0 = 1'b1;
  assign led[7:4] = 4'd0;

  computer_ulx3s computer (
    .clk(clk),
    .rst(rst),
    .serial_in(ftdi_txd),
    .serial_out(ftdi_rxd),
    .sdram_command({sdram_rasn, sdram_casn, sdram_wen}),
    .sdram_bank(sdram_ba),
    .sdram_address(sdram_a),
    .sdram_data_out(data_out),
    .sdram_data_drive(data_drive),
    .sdram_data_in(data_in),
    .leds(led[3:0]),
    .restart(restart)
  );
endmodule
