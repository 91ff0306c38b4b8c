import Foundation
import React
import UIKit

/// The component `BillfoldAddPassButton`. React asks for a view once for each component and keeps it.
@objc(BillfoldAddPassButtonManager)
final class BillfoldAddPassButtonManager: RCTViewManager {
    override static func requiresMainQueueSetup() -> Bool { true }

    /// React asks on the main thread; its header says nothing of it.
    override func view() -> UIView! { MainActor.assumeIsolated { BillfoldAddPassButton() } }
}

/// The view, with the property that React sets.
final class BillfoldAddPassButton: AddPassButtonView {
    /// Told of a tap. Call `addCard` at once.
    @objc var onAdd: RCTDirectEventBlock? {
        didSet { onTap = { [weak self] in self?.onAdd?([:]) } }
    }
}
