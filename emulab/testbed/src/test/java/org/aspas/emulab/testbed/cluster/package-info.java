/** Tests of {@code org.aspas.emulab.testbed.cluster}. */
package org.aspas.emulab.testbed.cluster;
