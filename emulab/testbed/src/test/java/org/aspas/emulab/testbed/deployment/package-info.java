/** Tests of deployments as directories. */
@org.jspecify.annotations.NullMarked
package org.aspas.emulab.testbed.deployment;
