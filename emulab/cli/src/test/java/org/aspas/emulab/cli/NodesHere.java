package org.aspas.emulab.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.aspas.appserver.node.AppServer;
import org.aspas.appserver.node.AppServerOptions;
import org.aspas.appserver.store.Durability;
import org.aspas.appserver.store.StoreOptions;
import org.aspas.bftcluster.node.BftServer;
import org.aspas.bftcluster.node.BftServerOptions;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.Role;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;

/** All nodes of a deployment's directory, in this process, on sockets and with their stores. */
final class NodesHere implements AutoCloseable {
    private final List<AppServer> appservers = new ArrayList<>();
    private final List<BftServer> bftservers = new ArrayList<>();

    private NodesHere() {}

    static NodesHere start(Path lab) throws Exception {
        DeploymentDirectory directory = new DeploymentDirectory(lab);
        Descriptor descriptor = directory.descriptor();
        NodesHere nodes = new NodesHere();
        for (NodeDescription node : descriptor.nodes(Role.BFTSERVER)) {
            int index = node.id().index();
            nodes.bftservers.add(BftServer.start(
                    descriptor,
                    index,
                    directory.key(descriptor, node.id()),
                    directory.orderingKey(descriptor, index),
                    new BftServerOptions(node.host(), Map.of(), Optional.of(directory.dataPath(node.id())))));
        }
        for (NodeDescription node : descriptor.nodes(Role.APPSERVER)) {
            nodes.appservers.add(AppServer.start(
                    descriptor,
                    node.id().index(),
                    directory.key(descriptor, node.id()),
                    AppServerOptions.defaults()
                            .withStore(new StoreOptions(directory.dataPath(node.id()), Durability.SYNC))));
        }
        return nodes;
    }

    /** One bftserver. */
    BftServer bftserver(int index) {
        return bftservers.get(index);
    }

    /** Ends all bftservers: there are no certificates any more. */
    void stopBftservers() {
        bftservers.forEach(BftServer::close);
    }

    /** Ends one appserver. */
    void stopAppserver(int index) {
        appservers.get(index).close();
    }

    @Override
    public void close() {
        appservers.forEach(AppServer::close);
        bftservers.forEach(BftServer::close);
    }
}
