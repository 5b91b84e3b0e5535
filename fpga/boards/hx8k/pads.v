// The pins of an iCE40-HX8K breakout board around two requesters.
//
// Here is what the hardware language has no words for: the reset at power-up. Everything else is in `duo_hx8k`.
`default_nettype none

module hx8k (
  input wire clk_12mhz,
  output wire [7:0] led,
  output wire ftdi_rxd
);
  wire clk = clk_12mhz;

  // Reset for a while after power-up, and when a run is over. Registers of an iCE40 begin as zero, and block RAM
  // cannot be read in the first microseconds.
  wire restart;
  reg [7:0] since_reset = 8'd0;
  reg running = 1'b0;
  always @(posedge clk) begin
    running <= since_reset == 8'd255;
    if (restart) since_reset <= 8'd0;
    else if (since_reset != 8'd255) since_reset <= since_reset + 8'd1;
  end

  assign led[7:3] = 5'd0;

  duo_hx8k duo (
    .clk(clk),
    .rst(~running),
    .serial_out(ftdi_rxd),
    .leds(led[2:0]),
    .restart(restart)
  );
endmodule
