/**
 * A client of bare replicas, for experiments: {@link org.aspas.bftcluster.proxy.OrderingProxy} submits a command to all replicas
 * and completes when enough of them have given the same answer.
 *
 * <p>It speaks the ordering library's client protocol itself. The library's own client waits a second before every
 * request while any replica is down, and deserialises Java objects from replies; this one does neither.
 */
@NullMarked
package org.aspas.bftcluster.proxy;

import org.jspecify.annotations.NullMarked;
