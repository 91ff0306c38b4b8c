BEGIN TRANSACTION;
CREATE TABLE billfold_clock (id BIGINT NOT NULL PRIMARY KEY, offset_microseconds BIGINT NOT NULL);
CREATE TABLE billfold_migration_rules (name TEXT NOT NULL PRIMARY KEY, runs_with TEXT NOT NULL);
CREATE TABLE billfold_migrations (name TEXT NOT NULL PRIMARY KEY, checksum TEXT NOT NULL, applied_at BIGINT NOT NULL);
INSERT INTO "billfold_migrations" VALUES('store-0001-mode','2dee8785535ef8eb',1795941910557298);
INSERT INTO "billfold_migrations" VALUES('store-0002-clock','2d98948bb80f6d86',1795941910558313);
INSERT INTO "billfold_migrations" VALUES('unionpaygateway-0001-books','e629061778d0e49e',1795941910559207);
CREATE TABLE billfold_store (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO "billfold_store" VALUES('mode','test');
CREATE TABLE unionpay_authority (name TEXT NOT NULL PRIMARY KEY, key_pem TEXT NOT NULL, certificate_pem TEXT NOT NULL);
INSERT INTO "unionpay_authority" VALUES('root','a private key, left out','-----BEGIN CERTIFICATE-----
MIIDATCCAemgAwIBAgIGB9ba339WMA0GCSqGSIb3DQEBCwUAMC8xLTArBgNVBAMM
JFNhbmRib3ggUm9vdCBvZiB0aGUgVW5pb25QYXkgR2F0ZXdheTAeFw0yNjExMjgw
ODQ1MTBaFw00NjEyMTMwODQ1MTBaMC8xLTArBgNVBAMMJFNhbmRib3ggUm9vdCBv
ZiB0aGUgVW5pb25QYXkgR2F0ZXdheTCCASIwDQYJKoZIhvcNAQEBBQADggEPADCC
AQoCggEBALhk0b4DifWsH/qBJwaM9ZauYDsISkrYQnQRQ8UWBsr+0TpKATZs4Ly6
ViOTsE/N0INf3mTI7ryCCIHtVArv+Yx2d4Z7+tFW2BLB7rHm8KybIXVKt7AKoiPt
T8KxoINFDGTwY8TsYFGmRhu3AyAbGb8QEeGigj5H11RzxZV/UwVslagO+uXDCVIH
835K3kc7Q/ofdpuFBXrF0NgCRTmJNfTDBZFtkwyX6thkxGvZlzVzo82hWXEa7JA1
RHhijVnF0aOqz+uRAjMuq8akvK2/HB+MHaDa/DuZqCLVhgf1kh9xFpFet4FV+uAS
rxkAReLk1RJcraNiZgr9oy4XcuCQSOECAwEAAaMjMCEwDwYDVR0TAQH/BAUwAwEB
/zAOBgNVHQ8BAf8EBAMCAgQwDQYJKoZIhvcNAQELBQADggEBAIt4ninc6uouYkW+
Kv5ImXvRGDAhAPTQV+WRws3QVHH3p+es/GXxp62E2GC/opKbDhmX0OEGLxoReFdl
FHUq3ZbtDXQHqo7O9Ldj8G7uGcLrm44YrylZLlBkunda3pK+PghwVKXGd/Si9uQb
7DPfxhgg36VI2kBDSXo9zo2dOUZ7sK1F7lW8ll1kJyJcrHN2oRpN4mMTa0+Du0OW
M8OcAORc0mmY89KyTVwkRp1OQVyrDsBi30lPiVGCh+Vh/EIRXXC3TOBiTjCWAcDi
E93rlQ55+hAB+tQAEvd3kOezAArXTJ8tfwu/1HcwjB/WPotsutdnKVx1weUr1DBK
NE/CA9s=
-----END CERTIFICATE-----');
INSERT INTO "unionpay_authority" VALUES('intermediate','a private key, left out','-----BEGIN CERTIFICATE-----
MIIDCTCCAfGgAwIBAgIGB+ICqHTHMA0GCSqGSIb3DQEBCwUAMC8xLTArBgNVBAMM
JFNhbmRib3ggUm9vdCBvZiB0aGUgVW5pb25QYXkgR2F0ZXdheTAeFw0yNjExMjgw
ODQ1MTBaFw0zNjEyMDUwODQ1MTBaMDcxNTAzBgNVBAMMLFNhbmRib3ggSW50ZXJt
ZWRpYXRlIG9mIHRoZSBVbmlvblBheSBHYXRld2F5MIIBIjANBgkqhkiG9w0BAQEF
AAOCAQ8AMIIBCgKCAQEAxU8jPCrdnYPmfxBJUyw7cxyPS+q4/RCvAmucuhcCn6BX
Ql8C4/1k6ymxnpB7LLB819atoObyIiV4bl24efBTvSzrT7U5PIEhMrpVsQc0BOo+
iu0G+XvJp/l5jp02kfu54db7Z9TRQ/xqOiwhXE+E97ja548LqSISznRNCaZRs7cW
ZVuzBg3bFx7chx8C7tbLkisgZ8q9C4TUANCn7swoWECFmXjO7ON9D6ev2q7T7uZs
DzTMSZt77ncsyaOvtWPrBvX4GCFfp/rjlnparnhdIvQm+JistVsj3/5xLEqxuZ4d
PSWQiGk/2W4UCjcEm9b6dfjtvVmBTQsnrPKvkwn9swIDAQABoyMwITAPBgNVHRMB
Af8EBTADAQH/MA4GA1UdDwEB/wQEAwICBDANBgkqhkiG9w0BAQsFAAOCAQEAqEns
mcjFL9MJ6+5+reSiRZlN3KcI0KQqsuowyTqLc9mE5ajqeIAIOjL9HuU9YbybrSAS
tMuUkSB8wK/2/4ggDXb2wHBfWF6ZmTN0aAmCpNdCYbdD44EMKLOA2oSUoIWhtVP6
nijQwZE1JX3JYKDDiyEWYhEr2NpTWkldGQ6OR5bPeRXpTJveC3eAQSe3X8mqoel6
ahmHdPsnyhLhiL5Jsz2H0J9+qlgcRL6CF2eDr4pbaFvghmjDWb9ugYT34OM7j5qe
FJJxIVOp3R/F5DxFHQdoxiIOX75P1LbxDHT3pI/bu6kUBvidVJWMmxoTqcg9L4aO
2eNRDwtqQZTUW/Qq9w==
-----END CERTIFICATE-----');
INSERT INTO "unionpay_authority" VALUES('signer','a private key, left out','-----BEGIN CERTIFICATE-----
MIIDEDCCAfigAwIBAgIGC4/BklSeMA0GCSqGSIb3DQEBCwUAMDcxNTAzBgNVBAMM
LFNhbmRib3ggSW50ZXJtZWRpYXRlIG9mIHRoZSBVbmlvblBheSBHYXRld2F5MB4X
DTI2MTEyODA4NDUxMFoXDTI5MTEzMDA4NDUxMFowOTE3MDUGA1UEAwwuMDQxQFox
QOS4reWbvemTtuiBlOiCoeS7veaciemZkOWFrOWPuEAwMDAwMDAwMTCCASIwDQYJ
KoZIhvcNAQEBBQADggEPADCCAQoCggEBALIEnsqvdzGFHpmtUkjMhXCEj2ED89zE
Uz4RFJbva40NzqcY3f1WNCl0eAZXZbSDm944u/Wrdb2lEi7C0ZitZVlaDtrCk5mY
MlH1T25ddAptVNOFzivDCidb1bfzd34u/pmE7vnw3Szqpy+xf518Ur4RTbQt+LLb
gExodtxAOeBJrmnh0aZ7gJgsHVk8VnWu/F2Cv9PC0BbvLlvduEZRWYiel4T//Nkv
4/xZ/o5dcT5hxZFBU06Ie8b2WaIkkQqV99GS5h1B8sbYmqF+T18wpA1JPBe5B13D
ZprvpqbkbZ9Tf4XHIBUOWyiTSI99JK0h2qpeh2VBjEKh/K4HdWhx8ykCAwEAAaMg
MB4wDAYDVR0TAQH/BAIwADAOBgNVHQ8BAf8EBAMCBsAwDQYJKoZIhvcNAQELBQAD
ggEBALeLYA9OruCCEmcKwCXWqMUhxQhQ4+iTx+xEOQc80BxP7EAGgi0okCYbRTJs
jpS++R9QOQlZOKOaFQOtmP5tuxNqqaKxP2rS/9Oqx1soxrkJJijg/t/yVyXH6sKs
dLJqWcBBucQho9YRpeZEaqp9FhjeqOrOnZh4ACl8xEugcIKVkMRx1Ntz+8COwcTN
26jRJTfgbwlODC8h7byHquJZz1q3bfZvX4VMdr45aiJv4MU3UQEM7ncIJFnTxIZ6
fDJcrEeZ+SSE5nnGlOu7ywo4R0KaiBNQ33A3FAHPEPGGyflZjCh+ZQuVsTHt28dJ
9+MY0FE0kbpucbrUdi55eQnExrY=
-----END CERTIFICATE-----');
CREATE TABLE unionpay_merchant (mer_id TEXT NOT NULL, key_id TEXT NOT NULL, kind TEXT NOT NULL, material TEXT NOT NULL,
registered_at BIGINT NOT NULL, PRIMARY KEY (mer_id, key_id));
INSERT INTO "unionpay_merchant" VALUES('777290058110048','01:5542997890269','certificate','-----BEGIN CERTIFICATE-----
MIIDODCCAiCgAwIBAgIGBQqUa5TdMA0GCSqGSIb3DQEBCwUAMFMxMjAwBgNVBAMM
KVNhbmRib3ggc2lnbmluZyBjZXJ0aWZpY2F0ZSBvZiB0d28tbGVhdmVzMR0wGwYD
VQQKDBRUd28gTGVhdmVzIFRlYSBIb3VzZTAeFw0yNjExMjgwODQ1MTJaFw0zMTEy
MDIwODQ1MTJaMFMxMjAwBgNVBAMMKVNhbmRib3ggc2lnbmluZyBjZXJ0aWZpY2F0
ZSBvZiB0d28tbGVhdmVzMR0wGwYDVQQKDBRUd28gTGVhdmVzIFRlYSBIb3VzZTCC
ASIwDQYJKoZIhvcNAQEBBQADggEPADCCAQoCggEBALgn+Tlyd9O4de64b5ZLg7Pm
hDg1Uj9gWUZi2Fu5qM0I5uSYTmLf/O7TDlNYPiFO/mwS9KL9mgeXrUmkrwV+QQsB
KnvMK/2VmkUU6kZmmlfg/psI/B6m/uY5cjjA5SxNPtWfOIcfrQMCI8e834/orqKd
fPt04U76AWGXNq1UHVWAABfBNvIRls65wWExLg027JalzGFS7ltqbWJWfvi6bAKZ
LgDvDlSeTRt5iEl7G43lG+vFZawVklvDhYEQ6DA17iOB5X+PUgZ8TNmsMdjkkuCg
AtYv/3/TABI4fo8T+asAxOSW+5SENpnRsxd7JBcsXs8J0H+a23/42NCxADl1iM8C
AwEAAaMSMBAwDgYDVR0PAQH/BAQDAgeAMA0GCSqGSIb3DQEBCwUAA4IBAQCtacQS
TUmreybkI6xGE/FXPavTRlDda+qFko5l/ORHlat+eCnxsEYpsEK6S6F22ZvLg+Qf
+TSArOfghbt1LCrGRfYbTAHUqKMKF9WITe+KzDbV1DokxFSYnMF3y09MI/TY6dWG
hqKInil2aP+4r3i9Ieqd0UQlT72qtQmMhIL6v1mubI2zFTju8lWTEpQ4HkC/gyEC
f/LYERsG4GwcazMr4ojAJMtKot2tnADw2Axl2gH1nbYI10ZAEXJmv/kqAZ6wmA0B
h0ayvX2YKY8ZT23ry6lW3BwYp+QCKOZhYoXD2whe/Gcychv61N2GN2hpq26dBs3e
cN/d8YZTtwLMUm4Y
-----END CERTIFICATE-----',1795941911797232);
CREATE TABLE unionpay_notification (mer_id TEXT NOT NULL, id BLOB NOT NULL, order_id TEXT NOT NULL, txn_time TEXT NOT NULL,
url TEXT NOT NULL, fields TEXT NOT NULL, due_at BIGINT NOT NULL, attempt BIGINT NOT NULL, state TEXT NOT NULL,
status BIGINT, PRIMARY KEY (mer_id, id));
INSERT INTO "unionpay_notification" VALUES('777290058110048',X'01A2267AF5B8707A9844DE8C2B8D3587','01a2267af4d070008563e74875df5f7e','20261129164522','http://127.0.0.1:20101/unionpay/notify','{"fields":{"accNo":"","accessType":"0","bizType":"000802","currencyCode":"156","encoding":"UTF-8","merId":"777290058110048","orderId":"01a2267af4d070008563e74875df5f7e","queryId":"202611291645221401520","reqReserved":"01a2267af4e67753b4b66b7ed0ed8d04","respCode":"00","respMsg":"成功[0000000]","settleAmt":"15664","settleCurrencyCode":"156","settleDate":"1129","traceNo":"560075","traceTime":"1129164522","txnAmt":"15664","txnSubType":"01","txnTime":"20261129164522","txnType":"01","version":"5.1.0"},"isCorrupt":false}',1795941922232030,1,'acknowledged',200);
INSERT INTO "unionpay_notification" VALUES('777290058110048',X'01A2267AF68972ACAC709EBFB8B83F26','01a2267af4d0700089a7c0651d1f4268','20261129164522','http://127.0.0.1:20101/unionpay/notify','{"fields":{"accNo":"","accessType":"0","bizType":"000802","currencyCode":"156","encoding":"UTF-8","merId":"777290058110048","orderId":"01a2267af4d0700089a7c0651d1f4268","queryId":"202611291645221715987","respCode":"00","respMsg":"成功[0000000]","settleAmt":"100","settleCurrencyCode":"156","settleDate":"1129","traceNo":"092249","traceTime":"1129164522","txnAmt":"100","txnSubType":"00","txnTime":"20261129164522","txnType":"04","version":"5.1.0"},"isCorrupt":false}',1795941922441167,1,'acknowledged',200);
INSERT INTO "unionpay_notification" VALUES('777290058110048',X'01A2267AF71C77DBBAFF7278A49F9F40','01a2267af4d0700098541d112fcf6d27','20261129164522','http://127.0.0.1:20101/unionpay/notify','{"fields":{"accNo":"","accessType":"0","bizType":"000802","currencyCode":"156","encoding":"UTF-8","merId":"777290058110048","orderId":"01a2267af4d0700098541d112fcf6d27","queryId":"202611291645220973406","respCode":"00","respMsg":"成功[0000000]","settleAmt":"250","settleCurrencyCode":"156","settleDate":"1129","traceNo":"192270","traceTime":"1129164522","txnAmt":"250","txnSubType":"00","txnTime":"20261129164522","txnType":"04","version":"5.1.0"},"isCorrupt":false}',1795941922588491,1,'acknowledged',200);
INSERT INTO "unionpay_notification" VALUES('777290058110048',X'01A2267AF8A474E9A12B96E436F82BE8','01a2267af4d07000bdeee80dfbc53c4a','20261129164522','http://127.0.0.1:20101/unionpay/notify','{"fields":{"accNo":"","accessType":"0","bizType":"000802","currencyCode":"156","encoding":"UTF-8","merId":"777290058110048","orderId":"01a2267af4d07000bdeee80dfbc53c4a","queryId":"202611291645221130420","reqReserved":"01a2267af84a7cf5b753c20e777ff16c","respCode":"00","respMsg":"成功[0000000]","settleAmt":"3924","settleCurrencyCode":"156","settleDate":"1129","traceNo":"913246","traceTime":"1129164522","txnAmt":"3924","txnSubType":"01","txnTime":"20261129164522","txnType":"01","version":"5.1.0"},"isCorrupt":false}',1795941922980307,1,'acknowledged',200);
INSERT INTO "unionpay_notification" VALUES('777290058110048',X'01A2267AF91F73A5B8859B083544911C','01a2267af4d07000bbd8ef0ffab3c7d5','20261129164523','http://127.0.0.1:20101/unionpay/notify','{"fields":{"accNo":"","accessType":"0","bizType":"000802","currencyCode":"156","encoding":"UTF-8","merId":"777290058110048","orderId":"01a2267af4d07000bbd8ef0ffab3c7d5","queryId":"202611291645233870927","respCode":"00","respMsg":"成功[0000000]","settleAmt":"3924","settleCurrencyCode":"156","settleDate":"1129","traceNo":"021427","traceTime":"1129164523","txnAmt":"3924","txnSubType":"00","txnTime":"20261129164523","txnType":"31","version":"5.1.0"},"isCorrupt":false}',1795941923103228,1,'acknowledged',200);
INSERT INTO "unionpay_notification" VALUES('777290058110048',X'01A2267AFB75717CBAA875BEFD69DD76','01a2267af8b870008e8f8ce623a6effd','20261129164523','http://127.0.0.1:20101/unionpay/notify','{"fields":{"accNo":"","accessType":"0","bizType":"000802","currencyCode":"156","encoding":"UTF-8","merId":"777290058110048","orderId":"01a2267af8b870008e8f8ce623a6effd","queryId":"202611291645230012445","reqReserved":"01a2267afb197b33b61fe34f5ade3ac4","respCode":"00","respMsg":"成功[0000000]","settleAmt":"15664","settleCurrencyCode":"156","settleDate":"1129","traceNo":"923747","traceTime":"1129164523","txnAmt":"15664","txnSubType":"01","txnTime":"20261129164523","txnType":"01","version":"5.1.0"},"isCorrupt":false}',1795941923701093,1,'acknowledged',200);
INSERT INTO "unionpay_notification" VALUES('777290058110048',X'01A2267AFC6D78B09CE4E32F9E6F4FC6','01a2267af8b87000bee2c7bd42d84cf8','20261129164523','http://127.0.0.1:20101/unionpay/notify','{"fields":{"accNo":"","accessType":"0","bizType":"000802","currencyCode":"156","encoding":"UTF-8","merId":"777290058110048","orderId":"01a2267af8b87000bee2c7bd42d84cf8","queryId":"202611291645238457291","reqReserved":"01a2267afc0e702d8e1ea6560b9243fd","respCode":"00","respMsg":"成功[0000000]","settleAmt":"15664","settleCurrencyCode":"156","settleDate":"1129","traceNo":"099837","traceTime":"1129164523","txnAmt":"15664","txnSubType":"01","txnTime":"20261129164523","txnType":"01","version":"5.1.0"},"isCorrupt":false}',1795941923949543,1,'acknowledged',200);
CREATE TABLE unionpay_plan (scope TEXT NOT NULL PRIMARY KEY, plan TEXT NOT NULL);
CREATE TABLE unionpay_transaction (mer_id TEXT NOT NULL, order_id TEXT NOT NULL, txn_time TEXT NOT NULL,
query_id TEXT NOT NULL, type TEXT NOT NULL, amount BIGINT NOT NULL, currency TEXT NOT NULL, code TEXT NOT NULL,
standing TEXT NOT NULL, original TEXT, echo TEXT NOT NULL, back_url TEXT, settlement_day TEXT NOT NULL,
trace_number TEXT NOT NULL, fee BIGINT NOT NULL, plan TEXT NOT NULL, queries BIGINT NOT NULL, late_at BIGINT,
booked_at BIGINT NOT NULL, PRIMARY KEY (mer_id, order_id, txn_time));
INSERT INTO "unionpay_transaction" VALUES('777290058110048','01a2267af4d070008563e74875df5f7e','20261129164522','202611291645221401520','01',15664,'156','00','live',NULL,'{"accessType":"0","bizType":"000802","currencyCode":"156","encoding":"UTF-8","merId":"777290058110048","orderId":"01a2267af4d070008563e74875df5f7e","reqReserved":"01a2267af4e67753b4b66b7ed0ed8d04","txnAmt":"15664","txnSubType":"01","txnTime":"20261129164522","txnType":"01","version":"5.1.0"}','http://127.0.0.1:20101/unionpay/notify','1129','560075',78,'{"amountOffset":1,"corruptReplySignature":false,"duplicateNotifications":0,"fileDifference":"none","loss":"nothing","notification":"correct","notificationBeforeReply":false,"notificationDelaySeconds":0,"queryCodes":[],"replyDelayMilliseconds":0}',0,NULL,1795941922232030);
INSERT INTO "unionpay_transaction" VALUES('777290058110048','01a2267af4d0700089a7c0651d1f4268','20261129164522','202611291645221715987','04',100,'156','00','live','202611291645221401520','{"accessType":"0","bizType":"000802","currencyCode":"156","encoding":"UTF-8","merId":"777290058110048","orderId":"01a2267af4d0700089a7c0651d1f4268","txnAmt":"100","txnSubType":"00","txnTime":"20261129164522","txnType":"04","version":"5.1.0"}','http://127.0.0.1:20101/unionpay/notify','1129','092249',0,'{"amountOffset":1,"corruptReplySignature":false,"duplicateNotifications":0,"fileDifference":"none","loss":"nothing","notification":"correct","notificationBeforeReply":false,"notificationDelaySeconds":0,"queryCodes":[],"replyDelayMilliseconds":0}',0,NULL,1795941922441167);
INSERT INTO "unionpay_transaction" VALUES('777290058110048','01a2267af4d0700098541d112fcf6d27','20261129164522','202611291645220973406','04',250,'156','00','live','202611291645221401520','{"accessType":"0","bizType":"000802","currencyCode":"156","encoding":"UTF-8","merId":"777290058110048","orderId":"01a2267af4d0700098541d112fcf6d27","txnAmt":"250","txnSubType":"00","txnTime":"20261129164522","txnType":"04","version":"5.1.0"}','http://127.0.0.1:20101/unionpay/notify','1129','192270',0,'{"amountOffset":1,"corruptReplySignature":false,"duplicateNotifications":0,"fileDifference":"none","loss":"nothing","notification":"correct","notificationBeforeReply":false,"notificationDelaySeconds":0,"queryCodes":[],"replyDelayMilliseconds":0}',0,NULL,1795941922588491);
INSERT INTO "unionpay_transaction" VALUES('777290058110048','01a2267af4d07000bdeee80dfbc53c4a','20261129164522','202611291645221130420','01',3924,'156','00','voided',NULL,'{"accessType":"0","bizType":"000802","currencyCode":"156","encoding":"UTF-8","merId":"777290058110048","orderId":"01a2267af4d07000bdeee80dfbc53c4a","reqReserved":"01a2267af84a7cf5b753c20e777ff16c","txnAmt":"3924","txnSubType":"01","txnTime":"20261129164522","txnType":"01","version":"5.1.0"}','http://127.0.0.1:20101/unionpay/notify','1129','913246',20,'{"amountOffset":1,"corruptReplySignature":false,"duplicateNotifications":0,"fileDifference":"none","loss":"nothing","notification":"correct","notificationBeforeReply":false,"notificationDelaySeconds":0,"queryCodes":[],"replyDelayMilliseconds":0}',0,NULL,1795941922980307);
INSERT INTO "unionpay_transaction" VALUES('777290058110048','01a2267af4d07000bbd8ef0ffab3c7d5','20261129164523','202611291645233870927','31',3924,'156','00','live','202611291645221130420','{"accessType":"0","bizType":"000802","currencyCode":"156","encoding":"UTF-8","merId":"777290058110048","orderId":"01a2267af4d07000bbd8ef0ffab3c7d5","txnAmt":"3924","txnSubType":"00","txnTime":"20261129164523","txnType":"31","version":"5.1.0"}','http://127.0.0.1:20101/unionpay/notify','1129','021427',0,'{"amountOffset":1,"corruptReplySignature":false,"duplicateNotifications":0,"fileDifference":"none","loss":"nothing","notification":"correct","notificationBeforeReply":false,"notificationDelaySeconds":0,"queryCodes":[],"replyDelayMilliseconds":0}',0,NULL,1795941923103228);
INSERT INTO "unionpay_transaction" VALUES('777290058110048','01a2267af8b87000afb5bea5dd67b02d','20261129164523','202611291645239331045','01',5088,'156','61','live',NULL,'{"accessType":"0","bizType":"000802","currencyCode":"156","encoding":"UTF-8","merId":"777290058110048","orderId":"01a2267af8b87000afb5bea5dd67b02d","reqReserved":"01a2267afa127b95bed497ae21fba832","txnAmt":"5088","txnSubType":"01","txnTime":"20261129164523","txnType":"01","version":"5.1.0"}','http://127.0.0.1:20101/unionpay/notify','1129','253619',25,'{"amountOffset":1,"corruptReplySignature":false,"duplicateNotifications":0,"fileDifference":"none","loss":"nothing","notification":"correct","notificationBeforeReply":false,"notificationDelaySeconds":0,"queryCodes":[],"replyCode":"61","replyDelayMilliseconds":0}',1,NULL,1795941923475038);
INSERT INTO "unionpay_transaction" VALUES('777290058110048','01a2267af8b870008e8f8ce623a6effd','20261129164523','202611291645230012445','01',15664,'156','00','live',NULL,'{"accessType":"0","bizType":"000802","currencyCode":"156","encoding":"UTF-8","merId":"777290058110048","orderId":"01a2267af8b870008e8f8ce623a6effd","reqReserved":"01a2267afb197b33b61fe34f5ade3ac4","txnAmt":"15664","txnSubType":"01","txnTime":"20261129164523","txnType":"01","version":"5.1.0"}','http://127.0.0.1:20101/unionpay/notify','1129','923747',78,'{"amountOffset":1,"corruptReplySignature":false,"duplicateNotifications":0,"fileDifference":"amount","loss":"nothing","notification":"correct","notificationBeforeReply":false,"notificationDelaySeconds":0,"queryCodes":[],"replyDelayMilliseconds":0}',0,NULL,1795941923701093);
INSERT INTO "unionpay_transaction" VALUES('777290058110048','01a2267af8b87000bee2c7bd42d84cf8','20261129164523','202611291645238457291','01',15664,'156','00','live',NULL,'{"accessType":"0","bizType":"000802","currencyCode":"156","encoding":"UTF-8","merId":"777290058110048","orderId":"01a2267af8b87000bee2c7bd42d84cf8","reqReserved":"01a2267afc0e702d8e1ea6560b9243fd","txnAmt":"15664","txnSubType":"01","txnTime":"20261129164523","txnType":"01","version":"5.1.0"}','http://127.0.0.1:20101/unionpay/notify','1129','099837',78,'{"amountOffset":1,"corruptReplySignature":false,"duplicateNotifications":0,"fileDifference":"amount","loss":"nothing","notification":"correct","notificationBeforeReply":false,"notificationDelaySeconds":0,"queryCodes":[],"replyDelayMilliseconds":0}',0,NULL,1795941923949543);
CREATE UNIQUE INDEX unionpay_transaction_query_id ON unionpay_transaction (mer_id, query_id);
CREATE INDEX unionpay_transaction_original ON unionpay_transaction (mer_id, original);
CREATE INDEX unionpay_transaction_day ON unionpay_transaction (mer_id, settlement_day);
CREATE INDEX unionpay_notification_due ON unionpay_notification (state, due_at);
COMMIT;
