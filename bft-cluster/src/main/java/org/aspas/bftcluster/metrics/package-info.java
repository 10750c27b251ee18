/**
 * What a node's process tells Prometheus. {@link org.aspas.bftcluster.metrics.NodeMetrics} holds the figures that nodes of both
 * tiers have in common, of their links, signatures and Java; a node sets its own ones at each reading, from the plain counters that
 * it keeps anyway. {@link org.aspas.bftcluster.metrics.MetricsPort} serves them where a node has no other HTTP port.
 */
@org.jspecify.annotations.NullMarked
package org.aspas.bftcluster.metrics;
