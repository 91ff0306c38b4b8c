// As PassKit hands on Contacts: whoever reads a contact of a payment has its address.
@_exported public import ContactsSimulator
