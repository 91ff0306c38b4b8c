// Drives the Go client github.com/go-pay/gopay. Reads the settings' file that is named, then a call a line; answers a line each.
//
// The client knows two gateways by their names. It takes a proxy from the environment, as every Go program does, and the test's leads to ours.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/go-pay/gopay"
	"github.com/go-pay/gopay/alipay"
)

type settings struct {
	AppID       string `json:"appId"`
	PrivateKey  string `json:"privateKey"`
	GatewayKey  string `json:"gatewayKey"`
	Certificate *struct {
		Application string `json:"application"`
		Gateway     string `json:"gateway"`
		Root        string `json:"root"`
	} `json:"certificate"`
}

type call struct {
	Call    string         `json:"call"`
	Number  string         `json:"number"`
	Amount  string         `json:"amount"`
	Subject string         `json:"subject"`
	Notify  string         `json:"notify"`
	Request string         `json:"request"`
	Why     string         `json:"why"`
	Day     string         `json:"day"`
	Fields  map[string]any `json:"fields"`
}

type line map[string]any

func bare(pem string) string {
	kept := ""
	for _, each := range strings.Split(pem, "\n") {
		if !strings.HasPrefix(each, "-----") {
			kept += strings.TrimSpace(each)
		}
	}
	return kept
}

func refused(err error) line {
	var business *alipay.BizErr
	if errors.As(err, &business) {
		return line{"refused": business.SubCode, "says": business.SubMsg}
	}
	return line{"failed": err.Error()}
}

// What the client reads of an answer, as an answer of the gateway has it.
func read(node any, err error) line {
	if err != nil {
		return refused(err)
	}
	return line{"answer": node}
}

func order(each call, notify bool) gopay.BodyMap {
	body := gopay.BodyMap{}
	body.Set("out_trade_no", each.Number).Set("total_amount", each.Amount).Set("subject", each.Subject)
	if notify {
		body.Set("notify_url", each.Notify)
	}
	return body
}

func run(client *alipay.Client, set settings, each call) line {
	ctx, named := context.Background(), gopay.BodyMap{"out_trade_no": each.Number}
	switch each.Call {
	case "app":
		text, err := client.TradeAppPay(ctx, order(each, true).Set("product_code", "QUICK_MSECURITY_PAY"))
		return read(text, err)
	case "page":
		url, err := client.TradePagePay(ctx, order(each, true))
		if err != nil {
			return refused(err)
		}
		return line{"url": url}
	case "wap":
		url, err := client.TradeWapPay(ctx, order(each, true))
		if err != nil {
			return refused(err)
		}
		return line{"url": url}
	case "query":
		answer, err := client.TradeQuery(ctx, named)
		if err != nil {
			return refused(err)
		}
		return line{"answer": answer.Response}
	case "close":
		answer, err := client.TradeClose(ctx, named)
		if err != nil {
			return refused(err)
		}
		return line{"answer": answer.Response}
	case "cancel":
		answer, err := client.TradeCancel(ctx, named)
		if err != nil {
			return refused(err)
		}
		return line{"answer": answer.Response}
	case "refund":
		answer, err := client.TradeRefund(
			ctx, named.Set("refund_amount", each.Amount).Set("out_request_no", each.Request).Set("refund_reason", each.Why))
		if err != nil {
			return refused(err)
		}
		return line{"answer": answer.Response}
	case "refund-query":
		answer, err := client.TradeFastPayRefundQuery(ctx, named.Set("out_request_no", each.Request))
		if err != nil {
			return refused(err)
		}
		return line{"answer": answer.Response}
	case "bill":
		answer, err := client.DataBillDownloadUrlQuery(ctx, gopay.BodyMap{"bill_type": "trade", "bill_date": each.Day})
		if err != nil {
			return refused(err)
		}
		return line{"answer": answer.Response}
	case "precreate":
		answer, err := client.TradePrecreate(ctx, order(each, false))
		if err != nil {
			return refused(err)
		}
		return line{"answer": answer.Response}
	case "verify":
		var ok bool
		if set.Certificate != nil {
			ok, _ = alipay.VerifySignWithCert([]byte(set.Certificate.Gateway), gopay.BodyMap(each.Fields))
		} else {
			ok, _ = alipay.VerifySign(bare(set.GatewayKey), gopay.BodyMap(each.Fields))
		}
		return line{"answer": ok}
	}
	return line{"failed": "no such call: " + each.Call}
}

func main() {
	text, err := os.ReadFile(os.Args[1])
	var set settings
	if err == nil {
		err = json.Unmarshal(text, &set)
	}
	var client *alipay.Client
	if err == nil {
		client, err = alipay.NewClient(set.AppID, bare(set.PrivateKey), true)
	}
	if err == nil && set.Certificate != nil {
		err = client.SetCertSnByContent([]byte(set.Certificate.Application), []byte(set.Certificate.Root), []byte(set.Certificate.Gateway))
		client.AutoVerifySign([]byte(set.Certificate.Gateway))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var each call
		answer := line{"failed": "the call cannot be read"}
		if json.Unmarshal(lines.Bytes(), &each) == nil {
			answer = run(client, set, each)
		}
		text, _ := json.Marshal(answer)
		fmt.Println(string(text))
	}
}
