// WebKit hands these on, as it hands on UIKit and Foundation.
@_exported public import UIKitSimulator
