// Runs `example_test` to its end; prints PASS or FAIL.
`default_nettype none

module bench;

  reg clk = 1'b0;
  always #5 clk = !clk;

  wire finished;
  wire [31:0] failures;
  example_test test (.clk(clk), .finished(finished), .failures(failures));

  always @(posedge clk) begin
    if (finished) begin
      if (failures == 32'd0) $display("PASS: eleven edges, as counted by hand");
      else $display("FAIL: %0d differences", failures);
      $finish;
    end
  end

endmodule

`default_nettype wire
