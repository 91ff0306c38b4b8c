<?php
// Drives the PHP SDK (AopClient, AopCertClient). Reads the settings' file that is named, then a call a line; answers a line each.
error_reporting(E_ALL & ~E_DEPRECATED & ~E_WARNING & ~E_NOTICE);
ini_set('display_errors', 'stderr');
date_default_timezone_set('Asia/Shanghai');
$settings = json_decode(file_get_contents($argv[2]), true);
set_include_path($argv[1]);
define('AOP_SDK_WORK_DIR', sys_get_temp_dir());
ob_start();
require_once 'AopClient.php';
require_once 'AopCertClient.php';
foreach (['AppPay', 'PagePay', 'WapPay', 'Query', 'Close', 'Cancel', 'Refund', 'FastpayRefundQuery', 'Precreate'] as $name) {
    require_once "request/AlipayTrade{$name}Request.php";
}
require_once 'request/AlipayDataDataserviceBillDownloadurlQueryRequest.php';
ob_end_clean();

function bare($pem) { return preg_replace('/-----[^-]*-----|\s/', '', $pem); }

$certificate = $settings['certificate'] ?? null;
$client = $certificate ? new AopCertClient() : new AopClient();
$client->gatewayUrl = $settings['gateway'];
$client->appId = $settings['appId'];
$client->rsaPrivateKey = bare($settings['privateKey']);
$client->signType = 'RSA2';
$client->postCharset = 'UTF-8';
if ($certificate) {
    $client->alipayrsaPublicKey = $client->getPublicKey($settings['files']['gateway']);
    $client->appCertSN = $client->getCertSN($settings['files']['application']);
    $client->isCheckAlipayPublicCert = true;
    $client->alipayRootCertSN = $client->getRootCertSN($settings['files']['root']);
} else {
    $client->alipayrsaPublicKey = bare($settings['gatewayKey']);
}

function filled($request, $content, $notify = null) {
    $request->setBizContent(json_encode($content, JSON_UNESCAPED_UNICODE));
    if ($notify) $request->setNotifyUrl($notify);
    return $request;
}

function content($call, $product) {
    return ['out_trade_no' => $call['number'], 'total_amount' => $call['amount'], 'subject' => $call['subject'], 'product_code' => $product];
}

function execute($request) {
    global $client;
    $answer = $client->execute($request);
    if (!$answer) return ['failed' => 'the client reads no answer'];
    foreach (get_object_vars($answer) as $name => $node) {
        if (!is_object($node)) continue;
        if ($node->code == '10000') return ['answer' => $node];
        return ['refused' => $node->sub_code ?? $node->code, 'says' => $node->sub_msg ?? ''];
    }
    return ['failed' => 'no node: ' . json_encode($answer)];
}

$calls = [
    'app' => fn($call) => ['answer' => $client->sdkExecute(
        filled(new AlipayTradeAppPayRequest(), content($call, 'QUICK_MSECURITY_PAY'), $call['notify']))],
    'page' => fn($call) => ['form' => $client->pageExecute(
        filled(new AlipayTradePagePayRequest(), content($call, 'FAST_INSTANT_TRADE_PAY'), $call['notify']))],
    'wap' => fn($call) => ['url' => $client->pageExecute(
        filled(new AlipayTradeWapPayRequest(), content($call, 'QUICK_WAP_WAY'), $call['notify']), 'GET')],
    'query' => fn($call) => execute(filled(new AlipayTradeQueryRequest(), ['out_trade_no' => $call['number']])),
    'query-url' => fn($call) => ['url' => $client->pageExecute(
        filled(new AlipayTradeQueryRequest(), ['out_trade_no' => $call['number']]), 'GET')],
    'query-form' => fn($call) => ['form' => $client->pageExecute(
        filled(new AlipayTradeQueryRequest(), ['out_trade_no' => $call['number']]))],
    'close' => fn($call) => execute(filled(new AlipayTradeCloseRequest(), ['out_trade_no' => $call['number']])),
    'cancel' => fn($call) => execute(filled(new AlipayTradeCancelRequest(), ['out_trade_no' => $call['number']])),
    'refund' => fn($call) => execute(filled(new AlipayTradeRefundRequest(), [
        'out_trade_no' => $call['number'], 'refund_amount' => $call['amount'], 'out_request_no' => $call['request'],
        'refund_reason' => $call['why']])),
    'refund-query' => fn($call) => execute(filled(new AlipayTradeFastpayRefundQueryRequest(), [
        'out_trade_no' => $call['number'], 'out_request_no' => $call['request']])),
    'bill' => fn($call) => execute(filled(new AlipayDataDataserviceBillDownloadurlQueryRequest(), [
        'bill_type' => 'trade', 'bill_date' => $call['day']])),
    'precreate' => fn($call) => execute(filled(new AlipayTradePrecreateRequest(), content($call, 'FACE_TO_FACE_PAYMENT'))),
    'verify' => fn($call) => ['answer' => $client->rsaCheckV1($call['fields'], '', 'RSA2')],
];

while (($line = fgets(STDIN)) !== false) {
    $call = json_decode($line, true);
    ob_start();
    try {
        $answer = $calls[$call['call']]($call);
    } catch (Throwable $failure) {
        $answer = ['failed' => get_class($failure) . ': ' . substr($failure->getMessage(), 0, 300)];
    }
    ob_end_clean();
    echo json_encode($answer, JSON_UNESCAPED_UNICODE), "\n";
}
