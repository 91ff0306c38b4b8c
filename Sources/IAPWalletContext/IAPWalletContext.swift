/// As a framework for Apple's systems does: samples import this module alone, and name `NSError` and `URL`.
@_exported public import Foundation
/// The published samples import this module; everything in it is `WalletAPI`'s.
@_exported public import WalletAPI
