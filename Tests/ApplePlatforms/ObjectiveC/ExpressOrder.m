// Calls of the express order's client in the forms in which its documents give them.

@interface TeaShopDelegate : NSObject
@end

@implementation TeaShopDelegate

- (void)pay:(NSString *)orderString {
    [[AlipaySDK defaultService] payOrder:orderString
                              fromScheme:@"teashop"
                                callback:^(NSDictionary *resultDic) {
                                    NSString *status = resultDic[@"resultStatus"];
                                    [status isEqualToString:@"9000"];
                                }];
    [AlipaySDK.defaultService payOrder:orderString
                            fromScheme:@"teashop"
                     fromUniversalLink:@"https://shop.example/app/"
                              callback:^(NSDictionary *resultDic) {}];
    [[AlipaySDK defaultService] payOrder:orderString dynamicLaunch:NO fromScheme:@"teashop" callback:nil];
}

- (BOOL)openURL:(NSURL *)url {
    if ([url.host isEqualToString:@"safepay"]) {
        [[AlipaySDK defaultService] processOrderWithPaymentResult:url
                                                  standbyCallback:^(NSDictionary *resultDic) {}];
        [[AlipaySDK defaultService] processAuth_V2Result:url standbyCallback:^(NSDictionary *resultDic) {}];
    }
    return YES;
}

- (BOOL)continueUserActivity:(NSUserActivity *)activity {
    [[AlipaySDK defaultService] handleOpenUniversalLink:activity standbyCallback:^(NSDictionary *resultDic) {}];
    return YES;
}

- (BOOL)shouldLoad:(NSString *)address {
    BOOL isPayment = [[AlipaySDK defaultService] payInterceptorWithUrl:address
                                                            fromScheme:@"teashop"
                                                              callback:^(NSDictionary *result) {
                                                                  [result[@"resultCode"] isEqualToString:@"9000"];
                                                              }];
    NSString *order = [[AlipaySDK defaultService] fetchOrderInfoFromH5PayUrl:address];
    if (order != nil) {
        [[AlipaySDK defaultService] payUrlOrder:order fromScheme:@"teashop" callback:^(NSDictionary *result) {}];
    }
    return !isPayment;
}

- (void)logIn:(NSString *)info {
    [[AlipaySDK defaultService] auth_V2WithInfo:info fromScheme:@"teashop" callback:^(NSDictionary *resultDic) {}];
    APayAuthInfo *authInfo = nil;
    [[AlipaySDK defaultService] authWithInfo:authInfo callback:^(NSDictionary *resultDic) {}];
    [AlipaySDK startLogWithBlock:^(NSString *line) {}];
    NSString *version = [[AlipaySDK defaultService] currentVersion];
    NSString *token = [[AlipaySDK defaultService] fetchTradeToken];
    if ([[AlipaySDK defaultService] isLogined] && version != token) [AlipaySDK stopLog];
}

@end
