package org.aspas.emulab.testbed.cluster;

import java.net.URI;
import java.net.http.HttpClient;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.NodeId;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.aspas.client.net.ServerTrust;

/**
 * How the appservers of a deployment are reached, wherever they run. Thread-safe.
 *
 * @param trust whose certificates clients take, of servers that are reached by TLS
 */
public record AppserverAccess(Descriptor descriptor, HttpClient http, ServerTrust trust) {
    /** One that takes certificates of those alone whom the JDK trusts. */
    public AppserverAccess(Descriptor descriptor, HttpClient http) {
        this(descriptor, http, ServerTrust.usual());
    }

    /** How many there are, running or not. */
    public int appservers() {
        return descriptor.quorums().appservers();
    }

    public URI address(int appserver) {
        return descriptor.node(NodeId.appserver(appserver)).http();
    }

    public AppserverProbe probe(int appserver) {
        return new AppserverProbe(http, address(appserver));
    }

    /** Connects a client with a fresh key to an appserver. */
    public AspasClient client(int appserver, ClientOptions options) {
        return AspasClient.connectEphemeral(
                descriptor, options.withServer(appserver).withTrust(trust));
    }
}
