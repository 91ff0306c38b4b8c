public import Foundation

/// <https://developer.apple.com/documentation/uikit/uimodalpresentationstyle>
@available(iOS 3.2, *)
public enum UIModalPresentationStyle: Int, Sendable {
    /// <https://developer.apple.com/documentation/uikit/uimodalpresentationstyle/overfullscreen>
    @available(iOS 8, *)
    case overFullScreen = 5
}

/// <https://developer.apple.com/documentation/uikit/uiviewcontroller>
@available(iOS 2, *)
open class UIViewController: UIResponder {
    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/init(nibname:bundle:)>
    @available(iOS 2, *)
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) { super.init() }
    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/init(coder:)>
    @available(iOS 2, *)
    public required init?(coder: NSCoder) { super.init() }
    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/loadview()>
    @available(iOS 2, *)
    open func loadView() {}
    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/view>
    @available(iOS 2, *)
    open var view: UIView!
    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/viewdidappear(_:)>
    @available(iOS 2, *)
    open func viewDidAppear(_ animated: Bool) {}
    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/viewdiddisappear(_:)>
    @available(iOS 2, *)
    open func viewDidDisappear(_ animated: Bool) {}
    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/presentedviewcontroller>
    @available(iOS 5, *)
    open var presentedViewController: UIViewController? { nil }
    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/presentingviewcontroller>
    @available(iOS 5, *)
    open var presentingViewController: UIViewController? { nil }
    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/modalpresentationstyle>
    @available(iOS 3.2, *)
    open var modalPresentationStyle = UIModalPresentationStyle.overFullScreen
    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/ismodalinpresentation>
    @available(iOS 13, *)
    open var isModalInPresentation = false
    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/navigationitem>
    @available(iOS 2, *)
    open var navigationItem: UINavigationItem { UINavigationItem() }
    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/present(_:animated:completion:)>
    @available(iOS 5, *)
    open func present(
        _ viewControllerToPresent: UIViewController, animated flag: Bool, completion: (() -> Void)? = nil
    ) {}
    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/dismiss(animated:completion:)>
    @available(iOS 5, *)
    open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {}
}

/// <https://developer.apple.com/documentation/uikit/uinavigationcontroller>
@available(iOS 2, *)
open class UINavigationController: UIViewController {
    /// <https://developer.apple.com/documentation/uikit/uinavigationcontroller/init(rootviewcontroller:)>
    @available(iOS 2, *)
    public init(rootViewController: UIViewController) { super.init(nibName: nil, bundle: nil) }
    public required init?(coder: NSCoder) { super.init(coder: coder) }
}
