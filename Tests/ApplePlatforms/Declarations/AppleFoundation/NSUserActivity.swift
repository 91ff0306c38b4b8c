// Apple's Foundation holds more than the one here; what of that is used is imported without a word by every file that is checked.
@_exported public import Darwin
public import Foundation
@_exported public import FoundationNetworking

/// <https://developer.apple.com/documentation/foundation/nsuseractivity>
@available(iOS 8, *)
open class NSUserActivity: NSObject {
    /// <https://developer.apple.com/documentation/foundation/nsuseractivity/webpageurl>
    @available(iOS 8, *)
    open var webpageURL: URL?
}
