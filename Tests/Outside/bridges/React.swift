// React Native's names as far as our bridge uses them, as its headers declare them: RCTBridgeModule.h, RCTViewManager.h, RCTComponent.h. They say
// of no actor.
public import UIKit

public typealias RCTPromiseResolveBlock = (Any?) -> Void
public typealias RCTPromiseRejectBlock = (String?, String?, (any Error)?) -> Void
public typealias RCTDirectEventBlock = ([AnyHashable: Any]?) -> Void

open class RCTViewManager: NSObject {
    open class func requiresMainQueueSetup() -> Bool { false }
    open func view() -> UIView! { nil }
    public override init() { super.init() }
}
