// Drives the Java SDK (com.alipay.api). Reads the settings' file that is named, then a call a line; answers a line each.

import com.alipay.api.AlipayApiException;
import com.alipay.api.AlipayClient;
import com.alipay.api.AlipayRequest;
import com.alipay.api.AlipayResponse;
import com.alipay.api.DefaultAlipayClient;
import com.alipay.api.internal.util.AlipaySignature;
import com.alipay.api.internal.util.json.JSONValidatingReader;
import com.alipay.api.internal.util.json.JSONWriter;
import com.alipay.api.request.AlipayDataDataserviceBillDownloadurlQueryRequest;
import com.alipay.api.request.AlipayTradeAppPayRequest;
import com.alipay.api.request.AlipayTradeCancelRequest;
import com.alipay.api.request.AlipayTradeCloseRequest;
import com.alipay.api.request.AlipayTradeFastpayRefundQueryRequest;
import com.alipay.api.request.AlipayTradePagePayRequest;
import com.alipay.api.request.AlipayTradePrecreateRequest;
import com.alipay.api.request.AlipayTradeQueryRequest;
import com.alipay.api.request.AlipayTradeRefundRequest;
import com.alipay.api.request.AlipayTradeWapPayRequest;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.LinkedHashMap;
import java.util.Map;

public class Aop {
    private static final String CHARSET = "UTF-8";
    private final AlipayClient client;
    private final String key;

    private Aop(Map<String, Object> settings) {
        key = bare((String) settings.get("gatewayKey"));
        client = new DefaultAlipayClient(
            (String) settings.get("gateway"), (String) settings.get("appId"), bare((String) settings.get("privateKey8")), "json", CHARSET, key,
            "RSA2");
    }

    private static String bare(String pem) {
        return pem.replaceAll("-----[^-]*-----", "").replaceAll("\\s", "");
    }

    private static String content(Object... pairs) {
        Map<String, Object> content = new LinkedHashMap<>();
        for (int place = 0; place < pairs.length; place += 2) content.put((String) pairs[place], pairs[place + 1]);
        return new JSONWriter().write(content);
    }

    private static String order(Map<String, Object> call, String product) {
        return content(
            "out_trade_no", call.get("number"), "total_amount", call.get("amount"), "subject", call.get("subject"), "product_code", product);
    }

    private static Map<String, Object> line(String name, Object value) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put(name, value);
        return line;
    }

    /** What the client reads of an answer, as an answer of the gateway has it. */
    @SuppressWarnings("unchecked")
    private <T extends AlipayResponse> Map<String, Object> execute(AlipayRequest<T> request) throws AlipayApiException {
        T answer = client.execute(request);
        if (!answer.isSuccess()) {
            Map<String, Object> refused = line("refused", answer.getSubCode());
            refused.put("says", answer.getSubMsg());
            return refused;
        }
        for (Map.Entry<String, Object> node : ((Map<String, Object>) new JSONValidatingReader().read(answer.getBody())).entrySet()) {
            if (node.getKey().endsWith("_response")) return line("answer", node.getValue());
        }
        return line("failed", answer.getBody());
    }

    @SuppressWarnings("unchecked")
    private Map<String, Object> run(Map<String, Object> call) throws AlipayApiException {
        String named = content("out_trade_no", call.get("number"));
        switch ((String) call.get("call")) {
            case "app": {
                AlipayTradeAppPayRequest request = new AlipayTradeAppPayRequest();
                request.setBizContent(order(call, "QUICK_MSECURITY_PAY"));
                request.setNotifyUrl((String) call.get("notify"));
                return line("answer", client.sdkExecute(request).getBody());
            }
            case "page": {
                AlipayTradePagePayRequest request = new AlipayTradePagePayRequest();
                request.setBizContent(order(call, "FAST_INSTANT_TRADE_PAY"));
                return line("form", client.pageExecute(request).getBody());
            }
            case "wap": {
                AlipayTradeWapPayRequest request = new AlipayTradeWapPayRequest();
                request.setBizContent(order(call, "QUICK_WAP_WAY"));
                return line("url", client.pageExecute(request, "GET").getBody());
            }
            case "query-url":
            case "query-form": {
                AlipayTradeQueryRequest request = new AlipayTradeQueryRequest();
                request.setBizContent(named);
                boolean isForm = call.get("call").equals("query-form");
                return line(isForm ? "form" : "url", client.pageExecute(request, isForm ? "POST" : "GET").getBody());
            }
            case "query": {
                AlipayTradeQueryRequest request = new AlipayTradeQueryRequest();
                request.setBizContent(named);
                return execute(request);
            }
            case "close": {
                AlipayTradeCloseRequest request = new AlipayTradeCloseRequest();
                request.setBizContent(named);
                return execute(request);
            }
            case "cancel": {
                AlipayTradeCancelRequest request = new AlipayTradeCancelRequest();
                request.setBizContent(named);
                return execute(request);
            }
            case "refund": {
                AlipayTradeRefundRequest request = new AlipayTradeRefundRequest();
                request.setBizContent(content(
                    "out_trade_no", call.get("number"), "refund_amount", call.get("amount"), "out_request_no", call.get("request"),
                    "refund_reason", call.get("why")));
                return execute(request);
            }
            case "refund-query": {
                AlipayTradeFastpayRefundQueryRequest request = new AlipayTradeFastpayRefundQueryRequest();
                request.setBizContent(content("out_trade_no", call.get("number"), "out_request_no", call.get("request")));
                return execute(request);
            }
            case "bill": {
                AlipayDataDataserviceBillDownloadurlQueryRequest request = new AlipayDataDataserviceBillDownloadurlQueryRequest();
                request.setBizContent(content("bill_type", "trade", "bill_date", call.get("day")));
                return execute(request);
            }
            case "precreate": {
                AlipayTradePrecreateRequest request = new AlipayTradePrecreateRequest();
                request.setBizContent(order(call, "FACE_TO_FACE_PAYMENT"));
                return execute(request);
            }
            case "verify": {
                Map<String, String> fields = new LinkedHashMap<>();
                ((Map<String, Object>) call.get("fields")).forEach((name, value) -> fields.put(name, (String) value));
                return line("answer", AlipaySignature.rsaCheckV1(fields, key, CHARSET, "RSA2"));
            }
            default:
                return line("failed", "no such call");
        }
    }

    @SuppressWarnings("unchecked")
    public static void main(String[] arguments) throws Exception {
        // What the client itself prints does not stand between the answers.
        PrintStream answers = new PrintStream(System.out, true, CHARSET);
        System.setOut(System.err);
        String text = new String(Files.readAllBytes(Paths.get(arguments[0])), StandardCharsets.UTF_8);
        Aop driver = new Aop((Map<String, Object>) new JSONValidatingReader().read(text));
        BufferedReader calls = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = calls.readLine(); line != null; line = calls.readLine()) {
            Map<String, Object> answer;
            try {
                answer = driver.run((Map<String, Object>) new JSONValidatingReader().read(line));
            } catch (Exception failure) {
                answer = line("failed", String.valueOf(failure));
            }
            answers.println(new JSONWriter().write(answer));
        }
    }
}
