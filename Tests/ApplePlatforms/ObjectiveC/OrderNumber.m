// Calls of UnionPay's client in the forms in which its guide and its headers give them.

@interface NumberShop : NSObject <UPAPayPluginDelegate, UPPayPluginDelegate>
@end

@implementation NumberShop

- (void)pay:(NSString *)tn over:(UIViewController *)screen {
    if ([[UPPaymentControl defaultControl] isPaymentAppInstalled]) {
        [[UPPaymentControl defaultControl] startPay:tn fromScheme:@"numbershop" mode:@"01" viewController:screen];
    }
    [UPAPayPlugin startPay:tn mode:@"01" viewController:screen delegate:self andAPMechantID:@"merchant.example"];
    [UPPayPlugin startPay:tn mode:@"01" viewController:screen delegate:self];
}

- (BOOL)openURL:(NSURL *)url {
    [[UPPaymentControl defaultControl] handlePaymentResult:url
                                             completeBlock:^(NSString *code, NSDictionary *data) {
                                                 if ([code isEqualToString:@"success"]) (void)data[@"sign"];
                                             }];
    return YES;
}

- (void)UPAPayPluginResult:(UPPayResult *)payResult {
    [payResult.errorDescription isEqualToString:payResult.otherInfo];
}

- (void)UPPayPluginResult:(NSString *)result {}

@end
