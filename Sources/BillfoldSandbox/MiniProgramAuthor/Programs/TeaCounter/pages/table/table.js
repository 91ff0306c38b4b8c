// Keeps the table by user and mini program: it is there again at the next visit.
Page({
  data: { table: '' },

  onLoad() {
    this.setData({ table: my.getStorageSync({ key: 'table' }).data || '' });
  },

  onNumber(event) {
    this.setData({ table: event.detail.value });
  },

  onSave() {
    const { table } = this.data;
    if (!/^[0-9]{1,3}$/.test(table)) {
      my.alert({ title: 'Table', content: 'A table has a number, such as 7.' });
      return;
    }
    my.setStorageSync({ key: 'table', data: table });
    my.navigateBack();
  },

  onForget() {
    my.removeStorageSync({ key: 'table' });
    this.setData({ table: '' });
  }
});
