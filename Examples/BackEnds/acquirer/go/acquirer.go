// An acquirer's server at Alipay+: begins a payment, takes the notification and signs the answer, inquires, and gives a part back.
// Its environment is what `billfold sandbox register acquirer` writes. It needs nothing but Go's standard library.
package main

import (
	"bytes"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"time"
)

type object = map[string]any

var (
	gateway, client, notifyURL = os.Getenv("ALIPAY_PLUS_GATEWAY"), os.Getenv("ALIPAY_PLUS_CLIENT_ID"), os.Getenv("ALIPAY_PLUS_NOTIFY_URL")
	merchant, currency         = os.Getenv("ALIPAY_PLUS_MERCHANT_ID"), os.Getenv("ALIPAY_PLUS_SETTLEMENT_CURRENCY")
	myKey                      = must(x509.ParsePKCS8PrivateKey(block("ALIPAY_PLUS_PRIVATE_KEY_FILE"))).(*rsa.PrivateKey)
	gatewayKey                 = must(x509.ParsePKIXPublicKey(block("ALIPAY_PLUS_PUBLIC_KEY_FILE"))).(*rsa.PublicKey)
	signatureMember            = regexp.MustCompile(`signature=([^,\s]+)$`)
	china                      = time.FixedZone("", 8*3600)
	browser                    = http.Client{Timeout: 30 * time.Second}
	heard                      = make(chan object, 100)
)

func must[T any](value T, problem error) T {
	if problem != nil {
		fmt.Fprintln(os.Stderr, problem)
		os.Exit(1)
	}
	return value
}

func block(variable string) []byte {
	found, _ := pem.Decode(must(os.ReadFile(os.Getenv(variable))))
	if found == nil {
		must(0, fmt.Errorf("%s names no file in PEM", variable))
	}
	return found.Bytes
}

func digest(path, at string, body []byte) []byte {
	sum := sha256.Sum256(append([]byte("POST "+path+"\n"+client+"."+at+"."), body...))
	return sum[:]
}

// sign sets the headers of a request (Request-Time) or of an answer (Response-Time).
func sign(headers http.Header, path string, body []byte, timeName string) {
	at := time.Now().In(china).Format("2006-01-02T15:04:05-07:00")
	signature := base64.StdEncoding.EncodeToString(must(rsa.SignPKCS1v15(rand.Reader, myKey, crypto.SHA256, digest(path, at, body))))
	headers.Set("Client-Id", client)
	headers.Set(timeName, at)
	headers.Set("Signature", "algorithm=RSA256, keyVersion=1, signature="+url.QueryEscape(signature))
	headers.Set("Content-Type", "application/json; charset=UTF-8")
}

// verify says whether the gateway signed it, for us.
func verify(headers http.Header, path string, body []byte, timeName string) error {
	found := signatureMember.FindStringSubmatch(headers.Get("Signature"))
	if found == nil || headers.Get("Client-Id") != client {
		return errors.New("it is not signed, or not for us")
	}
	text, _ := url.PathUnescape(found[1])
	signature, _ := base64.StdEncoding.DecodeString(text)
	return rsa.VerifyPKCS1v15(gatewayKey, crypto.SHA256, digest(path, headers.Get(timeName), body), signature)
}

// call makes a signed call. What was not answered is sent again as it was: its request id says that it is the same.
func call(api string, content object) (object, error) {
	path, body := "/aps/api/v1/payments/"+api, must(json.Marshal(content))
	for attempt := 0; attempt < 4; attempt++ {
		request := must(http.NewRequest("POST", gateway+path, bytes.NewReader(body)))
		sign(request.Header, path, body, "Request-Time")
		answer, problem := browser.Do(request)
		if problem != nil || answer.StatusCode != 200 {
			time.Sleep(time.Second << attempt)
			continue
		}
		text, problem := io.ReadAll(answer.Body)
		answer.Body.Close()
		if problem != nil {
			continue
		}
		if problem := verify(answer.Header, path, text, "Response-Time"); problem != nil {
			return nil, fmt.Errorf("%s: %w: %s", api, problem, text)
		}
		var told object
		return told, json.Unmarshal(text, &told)
	}
	return nil, fmt.Errorf("%s was not answered; whether it happened is not known: inquire under the same request id", api)
}

// take is for notifications. An answer that is not signed, or not S, has them come again.
func take(response http.ResponseWriter, request *http.Request) {
	body, _ := io.ReadAll(io.LimitReader(request.Body, 100_000))
	var told object
	if verify(request.Header, request.URL.Path, body, "Request-Time") != nil || json.Unmarshal(body, &told) != nil {
		response.WriteHeader(http.StatusUnauthorized)
		return
	}
	heard <- told
	taken := []byte(`{"result":{"resultStatus":"S","resultCode":"SUCCESS","resultMessage":"success"}}`)
	sign(response.Header(), request.URL.Path, taken, "Response-Time")
	response.Write(taken)
}

func status(told object, member string) string {
	result, _ := told[member].(object)
	text, _ := result["resultStatus"].(string)
	return text
}

// outcome is S or F of a payment: by notification, by inquiry where none comes. U is not F, so it is asked again.
func outcome(name string) (object, error) {
	for end := time.Now().Add(3 * time.Minute); time.Now().Before(end); {
		var told object
		select {
		case told = <-heard:
			fmt.Println("heard", status(told, "paymentResult"), "of", told["paymentRequestId"])
			if told["paymentRequestId"] != name {
				continue
			}
		case <-time.After(10 * time.Second):
			var problem error
			if told, problem = call("inquiryPayment", object{"paymentRequestId": name}); problem != nil {
				return nil, problem
			}
		}
		if now := status(told, "paymentResult"); now == "S" || now == "F" {
			return told, nil
		}
	}
	return nil, errors.New("the outcome is not known, neither paid nor failed: inquire later, or cancel the payment before selling again")
}

func main() {
	address := must(url.Parse(notifyURL))
	go func() { must(0, http.ListenAndServe(address.Host, http.HandlerFunc(take))) }()
	random := make([]byte, 16)
	must(rand.Read(random))
	run := hex.EncodeToString(random)
	name, amount := "P"+run, object{"currency": currency, "value": "1999"}
	begun := must(call("pay", object{
		"paymentRequestId": name, "paymentAmount": amount, "paymentMethod": object{"paymentMethodType": "CONNECT_WALLET"},
		"paymentFactor": object{"isCashierPayment": true}, "paymentNotifyUrl": notifyURL,
		"paymentRedirectUrl": address.Scheme + "://" + address.Host + "/",
		"order": object{
			"referenceOrderId": "O" + run[:20], "orderDescription": "Green tea", "orderAmount": amount,
			"env":      object{"terminalType": "WAP", "osType": "IOS"},
			"merchant": object{"referenceMerchantId": merchant, "merchantMCC": "5499", "merchantName": "My shop"}}}))
	if status(begun, "result") != "U" {
		must(0, fmt.Errorf("no payment was begun: %v", begun["result"]))
	}
	fmt.Println("customer pays at", begun["normalUrl"])
	told := must(outcome(name))
	if status(told, "paymentResult") == "F" {
		must(0, fmt.Errorf("the payment failed: %v", told["paymentResult"]))
	}
	fmt.Printf("paid %s of %s's smallest unit, payment %s\n", amount["value"], currency, told["paymentId"])

	fmt.Println("the inquiry says", status(must(call("inquiryPayment", object{"paymentRequestId": name})), "paymentResult"))

	refund := object{"paymentRequestId": name, "refundRequestId": "R" + run, "refundAmount": object{"currency": currency, "value": "999"}}
	back := must(call("refund", refund))
	for ; status(back, "result") == "U"; back = must(call("refund", refund)) {
		time.Sleep(2 * time.Second)
	}
	if status(back, "result") != "S" {
		must(0, fmt.Errorf("the refund was refused: %v", back["result"]))
	}
	fmt.Println("refunded 999, refund", back["refundId"])
}
