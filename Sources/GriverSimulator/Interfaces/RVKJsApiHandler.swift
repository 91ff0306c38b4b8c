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

/// The mini program that calls an interface of the app's own. The documents say that a handler finds the running program's controller by
/// it and print no member: these are ours. [I]
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
}

/// Where a run's controller is found as long as there is one.
@MainActor
final class ControllerPlace {
    weak var controller: UIViewController?

    init(_ controller: UIViewController) { self.controller = controller }
}
