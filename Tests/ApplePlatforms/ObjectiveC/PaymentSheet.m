// Calls of the Alipay+ client in the forms in which its document and its header give them.

@interface PlusShop : NSObject <IAPLogServiceProtocol, AlipaySDKServiceProtocol>
@end

@implementation PlusShop

- (void)setUp {
    IAPConfiguration *configuration = [[IAPConfiguration alloc] init];
    configuration.merchantId = @"M1";
    configuration.acquirerId = @"1022188000000000001";
    configuration.language = @"en_US";
    configuration.envType = @"SANDBOX";
    configuration.fromScheme = @"plusshop";
    [[AlipayPlusClient shared] setConfiguration:configuration];
    AlipayPlusClient.shared.configuration = configuration;
    [AlipayPlusClient shared].logService = self;
    [AlipayPlusClient shared].alipaySDKSService = self;
}

- (void)ask {
    IAPInquirePaymentOptionParams *params = [[IAPInquirePaymentOptionParams alloc] init];
    params.paymentCurrency = @"USD";
    params.logoPattern = @"P1-APP-01";
    [[AlipayPlusClient shared] inquirePaymentOption:params
                                  completionHandler:^(IAPPaymentOption *option, NSError *error) {
                                      NSString *said = option.enabled ? option.brandName : option.disableReason;
                                      [said isEqualToString:option.paymentMethodType];
                                      NSArray *shown = error.code == 1001 ? option.promoNames : option.logos;
                                      (void)shown;
                                  }];
    [[AlipayPlusClient shared] inquirePaymentOptionWithParams:params completionHandler:^(IAPPaymentOption *option, NSError *error) {}];
}

- (void)show:(NSString *)paymentData {
    [[AlipayPlusClient shared] showPaymentSheet:paymentData
                                       callback:^(IAPPaymentSheetEvent *event) {
                                           [event.name isEqualToString:event.message];
                                       }];
    [[AlipayPlusClient shared] showPaymentSheetWithData:paymentData callback:^(IAPPaymentSheetEvent *event) {}];
}

- (void)open:(NSURL *)url {
    if ([[AlipayPlusClient shared] canProcessOrderWithPaymentResult:url]) [[AlipayPlusClient shared] processOrderWithPaymentResult:url];
}

- (IAPPaymentOption *)optionKept:(NSDictionary *)json in:(NSString *)currency {
    return currency ? [[IAPPaymentOption alloc] initWithJSONDictionary:json currency:currency] : [[IAPPaymentOption alloc] initWithJSONDictionary:json];
}

- (NSString *)width:(IAPLogo *)logo {
    return [logo.logoName isEqualToString:logo.logoPattern] ? logo.logoWidth : logo.logoUrl;
}

- (void)logWithName:(NSString *)name parameter:(NSDictionary *)parameter {}

- (void)payOrder:(NSString *)order fromScheme:(NSString *)scheme callback:(void (^)(NSDictionary *))block {}

- (void)processOrderWithPaymentResult:(NSURL *)url standbyCallback:(void (^)(NSDictionary *))block {}

@end
