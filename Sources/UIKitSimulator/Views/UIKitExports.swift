// UIKit hands these on, so an app's file says `import UIKit` and has them.
@_exported public import Foundation

#if canImport(FoundationNetworking)
    @_exported public import FoundationNetworking
#endif
