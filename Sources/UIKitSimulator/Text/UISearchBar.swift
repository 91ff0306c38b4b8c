public import Foundation

/// A line in which the customer looks for something.
@MainActor
@preconcurrency
open class UISearchBar: UIView {
    /// How it is drawn.
    public enum Style: Int, Sendable {
        case `default` = 0
        case prominent, minimal
    }

    open weak var delegate: (any UISearchBarDelegate)?
    /// The line itself, which is typed into.
    public let searchTextField = UITextField(frame: .zero)
    open var searchBarStyle = Style.default
    open var showsCancelButton = false
    open var barTintColor: UIColor?
    open var backgroundImage: UIImage?

    public override init(frame: CGRect) {
        super.init(frame: frame)
        addSubview(searchTextField)
        let told = UIAction { [weak self] _ in
            guard let self else { return }
            delegate?.searchBar(self, textDidChange: text ?? "")
        }
        searchTextField.addAction(told, for: .editingChanged)
        let searched = UIAction { [weak self] _ in
            guard let self else { return }
            delegate?.searchBarSearchButtonClicked(self)
        }
        searchTextField.addAction(searched, for: .editingDidEndOnExit)
        let begun = UIAction { [weak self] _ in
            guard let self else { return }
            delegate?.searchBarTextDidBeginEditing(self)
        }
        searchTextField.addAction(begun, for: .editingDidBegin)
    }

    /// There are no archives here: nil, always.
    public required init?(coder: NSCoder) { nil }

    open var text: String? {
        get { searchTextField.text }
        set { searchTextField.text = newValue }
    }

    open var placeholder: String? {
        get { searchTextField.placeholder }
        set { searchTextField.placeholder = newValue }
    }

    open override var canBecomeFirstResponder: Bool { true }
    open override var isFirstResponder: Bool { searchTextField.isFirstResponder }

    @discardableResult
    open override func becomeFirstResponder() -> Bool { searchTextField.becomeFirstResponder() }

    @discardableResult
    open override func resignFirstResponder() -> Bool { searchTextField.resignFirstResponder() }

    /// Shows the button that ends looking, or hides it.
    open func setShowsCancelButton(_ showsCancelButton: Bool, animated: Bool) { self.showsCancelButton = showsCancelButton }

    /// The customer's finger on the button that ends looking, where it is shown.
    public func sendCancel() { if showsCancelButton { delegate?.searchBarCancelButtonClicked(self) } }
}

/// Hears what is looked for. Every method may be left out.
@MainActor
@preconcurrency
public protocol UISearchBarDelegate: NSObjectProtocol {
    /// Called when the keyboard has come.
    func searchBarTextDidBeginEditing(_ searchBar: UISearchBar)
    /// Called when the customer typed.
    func searchBar(_ searchBar: UISearchBar, textDidChange searchText: String)
    /// Called at the return key.
    func searchBarSearchButtonClicked(_ searchBar: UISearchBar)
    /// Called at the button that ends looking.
    func searchBarCancelButtonClicked(_ searchBar: UISearchBar)
}

extension UISearchBarDelegate {
    public func searchBarTextDidBeginEditing(_ searchBar: UISearchBar) {}
    public func searchBar(_ searchBar: UISearchBar, textDidChange searchText: String) {}
    public func searchBarSearchButtonClicked(_ searchBar: UISearchBar) {}
    public func searchBarCancelButtonClicked(_ searchBar: UISearchBar) {}
}
