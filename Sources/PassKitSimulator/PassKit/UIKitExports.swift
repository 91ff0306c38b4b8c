// As PassKit hands on UIKit: whoever presents a controller of PassKit has the screen to present it on.
@_exported public import UIKitSimulator
