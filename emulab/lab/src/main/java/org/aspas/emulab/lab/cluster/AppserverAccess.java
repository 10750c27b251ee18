package org.aspas.emulab.lab.cluster;

import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.NodeId;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.aspas.emulab.lab.deployment.Deployment;

/**
 * How the appservers of a deployment are reached, wherever they run. Thread-safe.
 *
 * @param descriptor the deployment, verified
 * @param http asks over HTTP
 */
public record AppserverAccess(Descriptor descriptor, HttpClient http) {
    /** How many there are, running or not. */
    public int appservers() {
        return descriptor.quorums().appservers();
    }

    /** Where an appserver serves HTTP. */
    public URI address(int appserver) {
        NodeDescription node = descriptor.node(NodeId.appserver(appserver));
        InetSocketAddress address = new InetSocketAddress(node.host(), node.servicePort());
        return URI.create("http://" + address.getHostString() + ":" + address.getPort());
    }

    /** Asks an appserver over HTTP. */
    public AppserverProbe probe(int appserver) {
        return new AppserverProbe(http, address(appserver));
    }

    /** Connects a client with a fresh key to an appserver. */
    public AspasClient client(int appserver, ClientOptions options) {
        return AspasClient.connect(descriptor, Deployment.newKey(), appserver, options);
    }
}
