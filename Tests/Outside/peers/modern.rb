# Drives the Ruby gem `alipay`, its client of the open platform. Reads the settings' file that is named, then a call a line; answers a line each.
require "json"
require "openssl"
require "alipay"

$stdout.sync = true
settings = JSON.parse(File.read(ARGV[0]))
CERTIFIED = settings["certificate"]
options = {
  url: settings["gateway"], app_id: settings["appId"], app_private_key: settings["privateKey"], alipay_public_key: settings["gatewayKey"]
}
if CERTIFIED
  options[:app_cert_sn] = Alipay::Utils.get_cert_sn(CERTIFIED["application"])
  options[:alipay_root_cert_sn] = Alipay::Utils.get_root_cert_sn(CERTIFIED["root"])
end
CLIENT = Alipay::Client.new(options)

def execute(method, content)
  read(CLIENT.execute(method: method, biz_content: content.to_json))
end

# The gem gives back the body as it came: its caller reads it.
def read(body)
  node = JSON.parse(body).reject { |name, _| %w[sign alipay_cert_sn].include?(name) }.values.first
  node["code"] == "10000" ? { answer: node } : { refused: node["sub_code"], says: node["sub_msg"] }
end

def content(call, product)
  { out_trade_no: call["number"], total_amount: call["amount"], subject: call["subject"], product_code: product }
end

CALLS = {
  "app" => ->(call) {
    { answer: CLIENT.sdk_execute(
      method: "alipay.trade.app.pay", biz_content: content(call, "QUICK_MSECURITY_PAY").to_json, notify_url: call["notify"]) }
  },
  "page" => ->(call) { { url: CLIENT.page_execute_url(
    method: "alipay.trade.page.pay", biz_content: content(call, "FAST_INSTANT_TRADE_PAY").to_json, notify_url: call["notify"]) } },
  "wap" => ->(call) { { form: CLIENT.page_execute_form(
    method: "alipay.trade.wap.pay", biz_content: content(call, "QUICK_WAP_WAY").to_json, notify_url: call["notify"]) } },
  "query" => ->(call) { execute("alipay.trade.query", { out_trade_no: call["number"] }) },
  "query-url" => ->(call) { { url: CLIENT.page_execute_url(
    method: "alipay.trade.query", biz_content: { out_trade_no: call["number"] }.to_json) } },
  "query-form" => ->(call) { { form: CLIENT.page_execute_form(
    method: "alipay.trade.query", biz_content: { out_trade_no: call["number"] }.to_json) } },
  "close" => ->(call) { execute("alipay.trade.close", { out_trade_no: call["number"] }) },
  "cancel" => ->(call) { execute("alipay.trade.cancel", { out_trade_no: call["number"] }) },
  "refund" => ->(call) { execute("alipay.trade.refund", {
    out_trade_no: call["number"], refund_amount: call["amount"], out_request_no: call["request"], refund_reason: call["why"] }) },
  "refund-query" => ->(call) { execute("alipay.trade.fastpay.refund.query", {
    out_trade_no: call["number"], out_request_no: call["request"] }) },
  "bill" => ->(call) { execute("alipay.data.dataservice.bill.downloadurl.query", { bill_type: "trade", bill_date: call["day"] }) },
  "precreate" => ->(call) { execute("alipay.trade.precreate", content(call, "FACE_TO_FACE_PAYMENT")) },
  "verify" => ->(call) { { answer: CLIENT.verify?(call["fields"]) } },
}

$stdin.each_line do |line|
  call = JSON.parse(line)
  begin
    puts CALLS.fetch(call["call"]).call(call).to_json
  rescue StandardError => failure
    puts({ failed: "#{failure.class}: #{failure.message}"[0, 300] }.to_json)
  end
end
