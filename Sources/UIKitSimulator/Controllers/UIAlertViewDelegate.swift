/// The delegate of an alert view, which was replaced by ``UIAlertController`` in iOS 9: the name alone.
///
/// A published sample still names it in a class's list and implements none of its methods, all of which are optional. There are no alert
/// views here.
@MainActor
@preconcurrency
public protocol UIAlertViewDelegate: AnyObject {}
