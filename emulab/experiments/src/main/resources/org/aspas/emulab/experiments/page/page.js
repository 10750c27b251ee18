// Tooltips, arrow keys and toggled series. The page says everything without it.
(function () {
  'use strict';
  document.querySelectorAll('figure').forEach(function (figure) {
    var plot = figure.querySelector('svg.plot');
    if (!plot) { return; }
    var tip = document.createElement('div');
    tip.className = 'tip hidden';
    tip.setAttribute('role', 'status');
    figure.appendChild(tip);
    var at = null;

    function shown() {
      return Array.prototype.filter.call(plot.querySelectorAll('.point'), function (point) {
        return !point.closest('.hidden');
      });
    }
    function show(point) {
      if (at) { at.classList.remove('at'); }
      at = point;
      if (!point) { tip.classList.add('hidden'); return; }
      point.classList.add('at');
      tip.textContent = point.getAttribute('data-about');
      tip.classList.remove('hidden');
      var mark = (point.querySelector('.mark') || point).getBoundingClientRect();
      var box = figure.getBoundingClientRect();
      var left = mark.left + mark.width / 2 - box.left - tip.offsetWidth / 2;
      tip.style.left = Math.max(4, Math.min(left, box.width - tip.offsetWidth - 4)) + 'px';
      tip.style.top = mark.top - box.top - tip.offsetHeight - 6 + 'px';
    }
    plot.querySelectorAll('.point').forEach(function (point) {
      var title = point.querySelector('title');
      point.setAttribute('data-about', title ? title.textContent : '');
      if (title) { title.remove(); }
      point.addEventListener('mouseenter', function () { show(point); });
      point.addEventListener('mouseleave', function () { show(null); });
    });
    plot.addEventListener('blur', function () { show(null); });
    plot.addEventListener('keydown', function (event) {
      var step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (event.key === 'Escape') { show(null); }
      if (!step) { return; }
      var points = shown();
      if (points.length === 0) { return; }
      var next = points.indexOf(at) + step;
      show(points[(next + points.length) % points.length]);
      event.preventDefault();
    });
    figure.querySelectorAll('.legend .key').forEach(function (key) {
      function toggle() {
        var on = key.getAttribute('aria-pressed') === 'false';
        key.setAttribute('aria-pressed', String(on));
        plot.querySelectorAll('.series').forEach(function (series) {
          if (series.getAttribute('data-series') === key.getAttribute('data-series')) {
            series.classList.toggle('hidden', !on);
          }
        });
      }
      key.setAttribute('role', 'button');
      key.setAttribute('tabindex', '0');
      key.setAttribute('aria-pressed', 'true');
      key.addEventListener('click', toggle);
      key.addEventListener('keydown', function (event) {
        if (event.key === 'Enter' || event.key === ' ') { toggle(); event.preventDefault(); }
      });
    });
  });
}());
