import ApplePay

/// No new token in a device that was reported lost, until it is reported found (`ProvisioningBackOffice.reportFound(secureElement:remark:by:)`).
///
/// Its tokens are suspended (provisioning.md#lost-devices); a new one would undo that. Of new tokens no source says anything. Red is the
/// bank's own choice [I]: a person who reviews the request cannot see in whose hands the device is, and whoever has it back can say so.
package struct LostDeviceRule: DecisionRule {
    package init() {}

    package func objections(to request: DecisionInputs) -> [DecisionObjection] {
        request.isDeviceLost == true ? [.init(.red, .deviceLost)] : []
    }
}
