// React finds Swift's classes by these declarations.
#import <React/RCTBridgeModule.h>
#import <React/RCTViewManager.h>

@interface RCT_EXTERN_MODULE (BillfoldWallet, NSObject)
RCT_EXTERN_METHOD(showButton:(NSString *)card resolver:(RCTPromiseResolveBlock)resolve rejecter:(RCTPromiseRejectBlock)reject)
RCT_EXTERN_METHOD(containsCard:(NSString *)card resolver:(RCTPromiseResolveBlock)resolve rejecter:(RCTPromiseRejectBlock)reject)
RCT_EXTERN_METHOD(activationState:(NSString *)card resolver:(RCTPromiseResolveBlock)resolve rejecter:(RCTPromiseRejectBlock)reject)
RCT_EXTERN_METHOD(addCard:(NSString *)card resolver:(RCTPromiseResolveBlock)resolve rejecter:(RCTPromiseRejectBlock)reject)
@end

@interface RCT_EXTERN_MODULE (BillfoldAddPassButtonManager, RCTViewManager)
RCT_EXPORT_VIEW_PROPERTY(onAdd, RCTDirectEventBlock)
@end
