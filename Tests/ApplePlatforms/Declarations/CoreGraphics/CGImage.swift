public import Foundation

/// <https://developer.apple.com/documentation/coregraphics/cgimage>
@available(iOS 2, *)
open class CGImage: NSObject {}
