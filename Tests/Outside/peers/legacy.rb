# Drives the Ruby gem `alipay`, its services of the old gateway. Reads the settings' file that is named, then a call a line; answers a line each.
require "json"
require "openssl"
require "alipay"

$stdout.sync = true
settings = JSON.parse(File.read(ARGV[0]))
RSA = settings["privateKey"]
Alipay.gateway_url = settings["gateway"]
Alipay.pid = settings["partner"]
Alipay.key = settings["md5"]
Alipay.debug_mode = false

# The gem gives back the body as it came: its caller reads it.
def read(body)
  text = body.dup.force_encoding("UTF-8")
  return { refused: text[%r{<error>([^<]*)</error>}, 1] } unless text.include?("<is_success>T</is_success>")
  { answer: text.scan(%r{<(\w+)>([^<]*)</\1>}).to_h }
end

CALLS = {
  "app" => ->(call) {
    { answer: Alipay::Mobile::Service.mobile_securitypay_pay_string(
      { out_trade_no: call["number"], subject: call["subject"], total_fee: call["amount"], body: "Tea", notify_url: call["notify"] },
      { sign_type: "RSA", key: RSA }) }
  },
  "query" => ->(call) { read(Alipay::Service.single_trade_query(out_trade_no: call["number"])) },
  "close" => ->(call) { read(Alipay::Service.close_trade(out_order_no: call["number"])) },
  "refund" => ->(call) { { url: Alipay::Service.refund_fastpay_by_platform_pwd_url(
    batch_no: call["batch"], data: [{ trade_no: call["trade"], amount: call["amount"], reason: call["why"] }],
    notify_url: call["notify"]) } },
  "forex-refund" => ->(call) { { url: Alipay::Service.forex_refund_url(
    out_return_no: call["request"], out_trade_no: call["number"], return_amount: call["amount"], currency: "HKD", reason: call["why"]) } },
  "account" => ->(_) { read(Alipay::Service.account_page_query(
    page_no: "1", gmt_start_time: "2026-01-01 00:00:00", gmt_end_time: "2026-01-01 12:00:00")) },
  "page" => ->(call) { { url: Alipay::Service.create_direct_pay_by_user_url(
    out_trade_no: call["number"], subject: call["subject"], total_fee: call["amount"], notify_url: call["notify"]) } },
  "wap" => ->(call) { { url: Alipay::Service.create_direct_pay_by_user_wap_url(
    out_trade_no: call["number"], subject: call["subject"], total_fee: call["amount"], notify_url: call["notify"]) } },
  "overseas" => ->(call) { { url: Alipay::Service.acquirer_overseas_query(partner_trans_id: call["number"]) } },
  "notify-id" => ->(call) { { answer: Alipay::Notify.verify_notify_id?(Alipay.pid, call["id"]) } },
  "verify" => ->(call) { { answer: Alipay::Notify.verify?(call["fields"]) } },
}

$stdin.each_line do |line|
  call = JSON.parse(line)
  begin
    puts CALLS.fetch(call["call"]).call(call).to_json
  rescue StandardError => failure
    puts({ failed: "#{failure.class}: #{failure.message}"[0, 300] }.to_json)
  end
end
