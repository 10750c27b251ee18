package org.aspas.emulab.cli;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.aspas.certify.identity.Limits;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.quorum.Quorums;
import org.aspas.emulab.lab.deployment.Deployment;
import picocli.CommandLine.Option;

/** Where the nodes of a new deployment are, and whom it admits. */
final class NewDeploymentOptions {
    private static final int APPSERVER_LINK_PORT = 7100;
    private static final int CLIENT_PORT_OFFSET = 1000;
    private static final int SESSION_PORT_OFFSET = 2000;
    private static final int BFTSERVER_PORT_OFFSET = 100;

    @Option(names = "--name", defaultValue = "aspas", description = "What to call it (default: ${DEFAULT-VALUE}).")
    private String name = "aspas";

    @Option(
            names = "--appservers",
            split = ",",
            paramLabel = "HOST[:LINKPORT[:SERVICEPORT[:SESSIONPORT]]]",
            description = "One per appserver: where its peers find it, where clients do by HTTP and WebSocket"
                    + " (LINKPORT+1000), and by binary sessions (LINKPORT+2000). An IPv6 address stands in brackets"
                    + " (default: 127.0.0.1, ports 7100 on, or --base-port).")
    private List<String> appservers = List.of();

    @Option(
            names = "--bftservers",
            split = ",",
            paramLabel = "HOST[:LINKPORT]",
            description = "One per bftserver (default: 127.0.0.1, ports 7200 on, or --base-port and 100 on).")
    private List<String> bftservers = List.of();

    @Option(
            names = "--base-port",
            defaultValue = "" + APPSERVER_LINK_PORT,
            paramLabel = "PORT",
            description =
                    "Where the ports that no list names begin, for a second deployment on one machine: those of the"
                            + " appservers' links are from PORT on, of the bftservers from PORT+100, of HTTP from PORT+1000, of binary"
                            + " sessions from PORT+2000 (default: ${DEFAULT-VALUE}).")
    private int basePort = APPSERVER_LINK_PORT;

    @Option(
            names = "--admit",
            split = ",",
            paramLabel = "KEY",
            description =
                    "Public keys of the clients to admit, hexadecimal, as 'aspas key' prints them (default: anyone).")
    private List<String> admitted = List.of();

    @Option(
            names = "--tls",
            description = {
                "Clients reach the appservers by TLS. Makes a certificate for each, which nobody else signs, and"
                        + " tls-ca.pem, which says so to clients; 'aspas appserver --tls-cert' shows another one."
            })
    private boolean tls;

    String name() {
        return name;
    }

    Deployment generate(Quorums quorums, Limits limits) {
        if (basePort < 1 || basePort > NodeAddress.HIGHEST) {
            throw new IllegalArgumentException("--base-port " + basePort + " is outside 1.." + NodeAddress.HIGHEST);
        }
        List<Deployment.Place> places = new ArrayList<>();
        for (int i = 0; i < quorums.appservers(); i++) {
            NodeAddress at = address(appservers, i);
            int link = at.port(0, basePort + i);
            places.add(new Deployment.Place(
                    at.host(),
                    link,
                    at.port(1, link + CLIENT_PORT_OFFSET),
                    at.port(2, link + SESSION_PORT_OFFSET),
                    tls));
        }
        for (int i = 0; i < quorums.bftservers(); i++) {
            NodeAddress at = address(bftservers, i);
            at.atMost(1);
            places.add(new Deployment.Place(at.host(), at.port(0, basePort + BFTSERVER_PORT_OFFSET + i), 0));
        }
        checkCount("--appservers", appservers, quorums.appservers());
        checkCount("--bftservers", bftservers, quorums.bftservers());
        checkPorts(places, quorums);
        return Deployment.generate(name, quorums, places, clients(), limits);
    }

    boolean tls() {
        return tls;
    }

    private static void checkCount(String option, List<String> given, int needed) {
        if (!given.isEmpty() && given.size() != needed) {
            throw new IllegalArgumentException(option + " lists " + given.size() + ", but " + needed + " are needed");
        }
    }

    /** No two of these ports are the same of one host; hosts are compared as they were written. */
    private static void checkPorts(List<Deployment.Place> places, Quorums quorums) {
        Map<String, String> owners = new HashMap<>();
        for (int i = 0; i < places.size(); i++) {
            Deployment.Place place = places.get(i);
            NodeId node = i < quorums.appservers() ? NodeId.appserver(i) : NodeId.bftserver(i - quorums.appservers());
            claim(owners, place.host(), place.linkPort(), "the link port of " + node);
            claim(owners, place.host(), place.servicePort(), "the service port of " + node);
            claim(owners, place.host(), place.sessionPort(), "the session port of " + node);
        }
    }

    private static void claim(Map<String, String> owners, String host, int port, String owner) {
        if (port > NodeAddress.HIGHEST) {
            throw new IllegalArgumentException(owner + " would be " + port + ", above " + NodeAddress.HIGHEST
                    + ": name it in HOST:LINKPORT:SERVICEPORT:SESSIONPORT");
        }
        String other = port == 0 ? null : owners.putIfAbsent(host + " " + port, owner);
        if (other != null) {
            throw new IllegalArgumentException(
                    "port " + port + " of " + host + " would be " + other + " and " + owner + ": name another one");
        }
    }

    private static NodeAddress address(List<String> given, int index) {
        return NodeAddress.of(index < given.size() ? given.get(index) : "127.0.0.1");
    }

    private Set<PublicKey> clients() {
        return admitted.stream().map(NewDeploymentOptions::client).collect(Collectors.toUnmodifiableSet());
    }

    private static PublicKey client(String hex) {
        try {
            return PublicKey.of(HexFormat.of().parseHex(hex));
        } catch (IllegalArgumentException noKey) {
            throw new IllegalArgumentException("--admit '" + hex + "' is not a public key of 64 hexadecimal digits");
        }
    }
}
