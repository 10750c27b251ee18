package org.aspas.emulab.cli;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.aspas.certify.identity.Host;
import org.aspas.certify.identity.Limits;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.Quorums;
import org.aspas.emulab.testbed.deployment.Deployment;
import picocli.CommandLine.Option;

/** Where the nodes of a new deployment are, and whom it admits. */
final class NewDeploymentOptions {
    private static final int APPSERVER_LINK_PORT = 7100;
    private static final int CLIENT_PORT_OFFSET = 1000;
    private static final int SESSION_PORT_OFFSET = 2000;
    private static final int BFTSERVER_PORT_OFFSET = 100;

    @Option(
            names = "--name",
            defaultValue = "aspas",
            description = "Name of the deployment (default: ${DEFAULT-VALUE}).")
    private String name = "aspas";

    @Option(
            names = "--appservers",
            split = ",",
            paramLabel = "HOST[:LINKPORT[:SERVICEPORT[:SESSIONPORT]]]",
            description = "One per appserver: its host, and its ports for peers, for clients by HTTP and WebSocket"
                    + " (LINKPORT+1000), and for clients by binary sessions (LINKPORT+2000). Put IPv6 addresses in"
                    + " brackets (default: 127.0.0.1, link ports from 7100 or --base-port on).")
    private List<String> appservers = List.of();

    @Option(
            names = "--bftservers",
            split = ",",
            paramLabel = "HOST[:LINKPORT]",
            description = "One per bftserver (default: 127.0.0.1, link ports from 7200 or --base-port + 100 on).")
    private List<String> bftservers = List.of();

    @Option(
            names = "--base-port",
            defaultValue = "" + APPSERVER_LINK_PORT,
            paramLabel = "PORT",
            description = "First of the ports that no list names, for a second deployment on one machine: appserver"
                    + " links use the ports from PORT on, bftserver links from PORT+100, HTTP from PORT+1000, binary"
                    + " sessions from PORT+2000 (default: ${DEFAULT-VALUE}).")
    private int basePort = APPSERVER_LINK_PORT;

    @Option(
            names = "--admit",
            split = ",",
            paramLabel = "KEY",
            description =
                    "Public keys of the clients to admit, in hexadecimal as printed by 'aspas key' (default: anyone).")
    private List<String> admitted = List.of();

    @Option(
            names = "--tls",
            description = {
                "Let clients reach the appservers by TLS. Makes a self-signed certificate for each appserver, and"
                        + " tls-ca.pem by which clients trust it; 'aspas appserver --tls-cert' presents another one."
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

    /**
     * A host and the ports that were named with it, {@code HOST[:PORT[:PORT...]]}. An IPv6 address stands in brackets there, and
     * without them in a descriptor. Immutable.
     *
     * @param text what was given, for messages
     * @param host a name or an address, as a descriptor has it
     * @param ports as many as were given, each 1 to 65535
     */
    record NodeAddress(String text, String host, List<Integer> ports) {
        private static final Pattern FORM = Pattern.compile("(?:\\[([0-9A-Fa-f:.%]+)]|([^\\[\\]:]+))((?::[^:]*)*)");
        private static final int MOST_PORTS = 3;
        static final int HIGHEST = 65_535;

        /**
         * Reads one.
         *
         * @throws IllegalArgumentException if it has another form, the host is none ({@link Host}), a port is outside 1 to 65535 or there twice
         */
        static NodeAddress of(String text) {
            Matcher matcher = FORM.matcher(text);
            if (!matcher.matches()) {
                throw new IllegalArgumentException(
                        "'" + text + "' is not a host with ports; put an IPv6 address in brackets, as in [::1]:7100");
            }
            List<Integer> ports = Stream.of(matcher.group(3).split(":", -1))
                    .skip(1)
                    .map(digits -> port(text, digits))
                    .toList();
            if (Set.copyOf(ports).size() < ports.size()) {
                throw new IllegalArgumentException("'" + text + "' names a port twice");
            }
            String host = Host.check("the host", matcher.group(1) != null ? matcher.group(1) : matcher.group(2));
            NodeAddress address = new NodeAddress(text, host, ports);
            address.atMost(MOST_PORTS);
            return address;
        }

        private static int port(String text, String digits) {
            if (!digits.matches("[0-9]{1,5}") || Integer.parseInt(digits) < 1 || Integer.parseInt(digits) > HIGHEST) {
                throw new IllegalArgumentException("'" + text + "': port '" + digits + "' is outside 1.." + HIGHEST);
            }
            return Integer.parseInt(digits);
        }

        /** The port at a place, or another where none was given. */
        int port(int index, int otherwise) {
            return index < ports.size() ? ports.get(index) : otherwise;
        }

        /**
         * Checks how many ports were given.
         *
         * @throws IllegalArgumentException if there are more
         */
        void atMost(int most) {
            if (ports.size() > most) {
                throw new IllegalArgumentException(
                        "'" + text + "' has " + ports.size() + " ports, at most " + most + " belong there");
            }
        }
    }
}
