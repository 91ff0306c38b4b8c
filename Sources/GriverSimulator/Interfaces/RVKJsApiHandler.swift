import BillfoldConcurrency
public import Foundation
public import UIKitSimulator

/// Takes what an interface of the app's own answers: a dictionary of texts, numbers and booleans. A second answer is ignored.
public typealias RVKJsApiResponseCallbackBlock = (_ responseData: Any?) -> Void

/// An interface of the super app's own, or one in a built-in's place: derive a class and override the one method
/// (mini-programs.md#own-interfaces [D 1]). One object is made for each call, on the main thread. [I]
open class RVKJsApiHandler: NSObject {
    public required override init() { super.init() }

    /// Answers a call of a mini program's script. An override need not call this one, which answers that there is nothing.
    ///
    /// An answer with the members `error` and `errorMessage` is a failure.
    ///
    /// - Parameters:
    ///   - data: What the script handed over.
    ///   - context: Which mini program asks.
    ///   - callback: Takes the answer, at once or later.
    open func handler(_ data: [AnyHashable: Any], context: RVKContext, callback: @escaping RVKJsApiResponseCallbackBlock) {
        callback(["error": 1, "errorMessage": "\(type(of: self)) answers nothing"])
    }
}

/// Codes of failures of an interface (mini-programs.md#own-interfaces [O 24]), spelt as the header spells them.
public let e_invalid_api: Int32 = 1
public let e_inavlid_params: Int32 = 2
public let e_unknown_error: Int32 = 3
public let e_permission_denied: Int32 = 4
public let e_user_cancel: Int32 = 11

/// Answers with a failure by its code alone.
public func RVKErrorCallback(_ callback: RVKJsApiResponseCallbackBlock!, _ code: Int32) { callback?(["error": Int(code)]) }

/// The mini program that calls an interface of the app's own. ``currentViewController()`` is the header's [O 24]; the rest is ours. [I]
public final class RVKContext: NSObject, Sendable {
    /// As the platform knows it: never what the script says.
    public let appId: String
    /// The page on top, without its query.
    public let page: String
    private let place: ControllerPlace

    init(appID: String, page: String, place: ControllerPlace) {
        appId = appID
        self.page = page
        self.place = place
        super.init()
    }

    /// The controller that shows it; nil once it is gone.
    @MainActor public var viewController: UIViewController? { place.controller }

    /// The same by the header's name, for a handler to present over; from another thread the caller waits.
    public func currentViewController() -> UIViewController! { MainThread.run { place.controller } }
}

/// Where a run's controller is found as long as there is one.
@MainActor
final class ControllerPlace {
    weak var controller: UIViewController?

    init(_ controller: UIViewController) { self.controller = controller }
}
