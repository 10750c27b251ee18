/**
 * A whole deployment in one process. {@link org.aspas.emulab.lab.cluster.Cluster} starts every appserver and bftserver on real
 * loopback sockets, and stops and starts single ones. {@link org.aspas.emulab.lab.cluster.AppserverProbe} asks one appserver over
 * HTTP. A cluster may be in a world ({@link org.aspas.emulab.lab.cluster.ClusterWorld}).
 */
@NullMarked
package org.aspas.emulab.lab.cluster;

import org.jspecify.annotations.NullMarked;
