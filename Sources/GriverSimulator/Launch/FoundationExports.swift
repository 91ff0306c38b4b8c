/// As a framework for Apple's systems does: samples import this module alone, and name `NSError` and `URL`.
@_exported public import Foundation
/// The screens that a launch gives are UIKit's.
@_exported public import UIKitSimulator
